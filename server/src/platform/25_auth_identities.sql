-- Lets the project notify people, by a trigger, of sign-ins that were linked to their account.
grant trigger on auth.identities to project_owner;
