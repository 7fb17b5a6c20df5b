-- Accounts that anybody could create: what they may do is bounded until their address is known to be theirs.
ALTER TABLE account
  ADD awaits_verification boolean NOT NULL DEFAULT false,
  ADD signed_up_from text;  -- the network, of an account whose address nobody can verify since no mail is sent
