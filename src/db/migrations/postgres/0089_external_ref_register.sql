-- The register that has given the id; null if the provider itself has. An id from a register goes if the entry is not linked any more.
ALTER TABLE external_ref ADD COLUMN register text;
