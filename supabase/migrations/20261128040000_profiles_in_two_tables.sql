-- By hand, since a table that moves keeps its rows, and a table that is created again does not. The next migration has the rest.
alter table public.user_profiles set schema private;
alter table public.user_details set schema private;
alter table private.user_details add column language text;
insert into private.user_details (user_id, full_name, phone_number, language)
select user_id, full_name, phone_number, language from private.user_profiles where num_nonnulls(full_name, phone_number, language) > 0
on conflict (user_id) do update set language = excluded.language;
