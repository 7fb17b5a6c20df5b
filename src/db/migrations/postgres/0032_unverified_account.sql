-- Accounts from public sign-up are limited until their address is verified.
ALTER TABLE account
  ADD awaits_verification boolean NOT NULL DEFAULT false,
  ADD signed_up_from text;  -- client network, if the address cannot be verified because no mail is sent
