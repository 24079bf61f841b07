-- A trigger of the project tells people about sign-ins that were linked to their account.
grant trigger on auth.identities to project_owner;
