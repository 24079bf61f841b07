-- Returns whether the caller may see a person's page, which people read before they decide about that person. Visitors may see only the
-- owners of plans they can find. If one of two people has blocked the other, each gets the same answer as for a person who does not exist.
create function private.may_meet(p_person_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.user_profiles where user_id = p_person_id and deleted_at is null)
    and p_person_id <> all (private.people_apart())
    and ((select auth.uid()) is not null or exists (
      select from public.shared_subscriptions as p where p.owner_id = p_person_id and private.may_find(p)))
$$;

-- Returns a person's page as JSON, with the plans that the caller may find, newest first. Null if the caller may not see this person.
create function private.get_person(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', person.user_id, 'name', private.first_name(person.display_name), 'avatarUrl', person.avatar_url,
    'since', person.created_at, 'level', private.standing_level(person.user_id), 'rating', rated.rating, 'reviewers', rated.reviewers,
    'plans', private.market_cards(array(
      select p.id from public.shared_subscriptions as p
      where p.owner_id = person.user_id and private.may_find(p)
      order by p.created_at desc, p.id limit 50)))
  from private.user_profiles as person cross join lateral private.rating_of(person.user_id) as rated
  where person.user_id = p_person_id and private.may_meet(p_person_id)
$$;
select private.publish('get_person', 'anon', 'authenticated');
