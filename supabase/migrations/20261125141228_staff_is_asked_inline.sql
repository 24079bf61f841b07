set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_staff()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (private.my_permissions() <> '{}'::text[]);
