-- An invitation ends with what ends the credentials of the account that made it.
ALTER TABLE account_link
  ADD created_by bigint;                   -- account of the operator who made an invitation; null: the command line
