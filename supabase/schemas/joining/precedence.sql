-- Precedence on waiting lists is for people who had a similar plan, paid for it for some time, and lost it through no fault of
-- their own. It is derived from seats and problems on every call.

-- How many paid days a lost place must have had for its member to come first on the waiting lists of similar plans, and how long
-- the member comes first.
create function private.precedence_after() returns interval
language sql immutable return interval '14 days';
create function private.precedence_time() returns interval
language sql immutable return interval '30 days';

-- Returns the ended seats that put a person first on the waiting lists of the same catalogue plan, and until when: the owner
-- cancelled the plan or stayed suspended, or a problem was decided against the owner, even after the member had left. A removal
-- alone does not count, because the site does not know its cause; removing a member with an open problem decides it for the member.
-- Days without access are not paid days. Direct payments count unless the owner has denied them.
create function private.precedence_of(p_user_id uuid)
returns table (seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, s.subscription_id, s.catalogue_plan_id, s.provider, s.plan_name, s.owner_id, lost.at + private.precedence_time()
  from private.seats as s
  cross join lateral (
    select max(greatest(s.ended_at, p.closed_at)) as at
    from (values (s.end_reason = 'cancelled' or s.end_reason = 'suspended' and private.was_suspended(s.owner_id, s.ended_at)))
      as plan (is_cancelled)
    left join public.seat_problems as p on p.seat_id = s.id and p.fault = 'owner'
    where plan.is_cancelled or p.id is not null
  ) as lost
  cross join lateral (
    select sum(last.at - m.starts_at - private.time_without_access(m, last.at, null)) as time
    from public.member_payments as m cross join lateral (select least(m.ends_at, s.ended_at)) as last (at)
    where m.seat_id = s.id and (private.is_paid(m.status) or m.status = 'claimed') and m.share > 0 and m.starts_at < last.at
  ) as paid
  where s.member_id = p_user_id and s.ended_at is not null and s.end_reason <> 'handed-over' and s.counts
    and lost.at + private.precedence_time() > private.now() and paid.time >= private.precedence_after()
$$;

create function private.comes_first(p_user_id uuid, p_catalogue_plan_id text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.precedence_of(p_user_id) as p where p.catalogue_plan_id = p_catalogue_plan_id)
$$;

-- Tells a person that the end of this seat gives them precedence, with a link to similar plans.
create function private.tell_precedence(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan text := p_seat.provider || ' ' || p_seat.plan_name;
  v_until timestamptz := (select p.until from private.precedence_of(p_seat.member_id) as p where p.seat_id = p_seat.id);
begin
  if v_until is null then return; end if;
  perform private.mail_notification(
    private.notify(p_seat.member_id, 'info', null, 'comes-first',
      jsonb_build_object('seat', p_seat.id, 'plan', v_plan, 'until', v_until, 'day', private.day_in(v_until, private.zone_of(p_seat.member_id)))),
    '{}', '/plans-like/' || p_seat.id);
end $$;

-- The ended places of the acting user that put them first on waiting lists, newest first.
create function private.my_precedence()
returns table (seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query select p.* from private.precedence_of(v_user) as p order by p.until desc, p.seat_id;
end $$;
select private.publish('my_precedence', 'authenticated');
