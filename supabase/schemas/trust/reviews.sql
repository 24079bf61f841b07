-- Limits of reviews: how long people must have had access before they can write one, how long the first of a seat's two reviews is held
-- back, and the maximum length of a review.
create function private.review_after() returns interval
language sql immutable return interval '14 days';
create function private.review_wait() returns interval
language sql immutable return interval '7 days';
create function private.longest_review() returns integer
language sql immutable return 500;

-- Reviews of the two sides of a seat about each other, at most one by each side. The first review is held back until the other side has
-- written too, or for private.review_wait(), so that nobody writes a review in reply to the other one.
create table private.seat_reviews (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  author_id uuid not null references private.user_profiles (user_id) on delete restrict,
  subject_id uuid not null references private.user_profiles (user_id) on delete restrict,
  rating integer not null check (rating between 1 and 5),
  body text not null,
  written_at timestamptz not null default private.now(),
  shown_from timestamptz not null,
  answer text,
  answered_at timestamptz,
  -- When staff hid the review (staff/decisions.sql).
  hidden_at timestamptz,
  unique (seat_id, author_id)
);
create index seat_reviews_subject_idx on private.seat_reviews (subject_id, written_at desc);
create index seat_reviews_author_idx on private.seat_reviews (author_id);
alter table private.seat_reviews enable row level security;

-- Returns whether the two sides of this seat may review each other. The seat, active or ended, must have had access for at least
-- private.review_after(), and count (private.seats.counts).
create function private.is_reviewable(p_seat private.seats) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.member_payments as m
    where m.seat_id = p_seat.id and m.owner_id = p_seat.owner_id and p_seat.counts and m.starts_at <= coalesce(p_seat.ended_at, private.now()) - private.review_after()
  )
$$;

-- Trims a text. Raises 23514 if it is too long, or if it is empty and p_needed is true.
create function private.review_text(p_text text, p_needed boolean) returns text
language plpgsql immutable set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_review() then
    perform private.refuse('text_too_long', private.longest_review()::text);
  elsif p_needed and private.visible_length(v_text) = 0 then
    perform private.refuse('text_empty');
  end if;
  return v_text;
end $$;

-- Stores the acting user's review of the other side of a seat; they can write only one. A seat's first review is held back; the second
-- publishes both.
create function private.review_seat(p_seat_id uuid, p_rating integer, p_text text default '') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_other uuid;
  v_is_first boolean;
begin
  -- The lock makes two reviews of one seat that are written at the same time wait for each other.
  select * into v_seat from private.seats where id = p_seat_id and v_user in (owner_id, member_id) for update;
  if not found then
    perform private.refuse('place_not_found');
  elsif not private.is_reviewable(v_seat) then
    perform private.refuse('review_too_early', extract(day from private.review_after())::text);
  elsif (p_rating between 1 and 5) is not true then
    perform private.refuse('stars_out_of_range');
  elsif exists (select from private.seat_reviews where seat_id = p_seat_id and author_id = v_user) then
    perform private.refuse('already_reviewed');
  end if;
  v_other := case v_user when v_seat.owner_id then v_seat.member_id else v_seat.owner_id end;
  v_is_first := not exists (select from private.seat_reviews where seat_id = p_seat_id);
  insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
  values (p_seat_id, v_user, v_other, p_rating, private.review_text(p_text, false),
    private.now() + case when v_is_first then private.review_wait() else '0' end);
  update private.seat_reviews set shown_from = least(shown_from, private.now())
  where seat_id = p_seat_id and author_id = v_other;
  perform private.tell_seat(v_seat, v_other, 'info', case when v_is_first then 'review-waits' else 'reviews-shown' end,
    jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_user),
      'days', extract(day from private.review_wait())));
end $$;
select private.publish('review_seat', 'authenticated');

-- Returns the seats whose other side the acting user may still review; they_wrote is true if the other side has written their review.
create function private.reviews_to_write()
returns table (seat_id uuid, subscription_id text, plan text, person_id uuid, person_name text, avatar_url text, as_owner boolean, they_wrote boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider || ' ' || s.plan_name, p.user_id, p.display_name, p.avatar_url,
      s.owner_id = v_user, exists (select from private.seat_reviews as r where r.seat_id = s.id)
    from private.seats as s
    join private.user_profiles as p on p.user_id = case v_user when s.owner_id then s.member_id else s.owner_id end
    where v_user in (s.owner_id, s.member_id) and p.deleted_at is null and private.is_reviewable(s)
      and not exists (select from private.seat_reviews as r where r.seat_id = s.id and r.author_id = v_user)
    order by coalesce(s.ended_at, s.opened_at) desc, s.id;
end $$;
select private.publish('reviews_to_write', 'authenticated');

-- Returns whether a review is readable: both sides have written theirs or the wait is over, and staff have not hidden the review.
create function private.is_shown_review(p_review private.seat_reviews) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_review.shown_from <= private.now() and p_review.hidden_at is null;
end $$;

-- Returns the readable reviews about a person whose page the caller may see, newest first, at most 50. Visitors see only the authors' first
-- names, and not the plan's name, because the plan may be private.
create function private.reviews_of(p_person_id uuid)
returns table (
  id uuid, author_id uuid, author_name text, avatar_url text, plan text, rating integer, body text, written_at timestamptz,
  answer text, may_answer boolean, may_report boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  return query
    select r.id, case when v_user is not null then r.author_id end,
      case when v_user is null then private.first_name(p.display_name) else p.display_name end,
      case when v_user is not null then p.avatar_url end,
      case when v_user is not null then s.provider || ' ' || s.plan_name end, r.rating, r.body, r.written_at, r.answer,
      coalesce(r.subject_id = v_user and r.answer is null, false), r.author_id is distinct from v_user
    from private.seat_reviews as r join private.seats as s on s.id = r.seat_id
    join private.user_profiles as p on p.user_id = r.author_id
    where r.subject_id = p_person_id and private.may_meet(p_person_id) and private.is_shown_review(r)
      and r.author_id <> all (private.people_apart())
    order by r.written_at desc, r.id limit 50;
end $$;
select private.publish('reviews_of', 'anon', 'authenticated');

-- Returns the average rating of a person and the number of authors. Of each author, only the last review that the acting user may read
-- counts. Reviews of seats without any confirmed payment can be read but do not count.
create function private.rating_of(p_person_id uuid, out rating numeric, out reviewers integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  select round(avg(last.rating), 1), count(*) into rating, reviewers from (
    select distinct on (r.author_id) r.rating from private.seat_reviews as r
    where r.subject_id = p_person_id and private.is_shown_review(r) and r.author_id <> all (private.people_apart())
      and exists (select from public.member_payments as m where m.seat_id = r.seat_id and private.is_sure_payment(m))
    order by r.author_id, r.written_at desc
  ) as last;
end $$;

-- Locks a readable review and returns it. Raises PT404 if there is none with this id.
create function private.lock_review(p_review_id uuid) returns private.seat_reviews
language plpgsql volatile security definer set search_path = '' as $$
declare v_review private.seat_reviews;
begin
  select * into v_review from private.seat_reviews where id = p_review_id for update;
  if not found or not private.is_shown_review(v_review) then
    perform private.refuse('review_not_found');
  end if;
  return v_review;
end $$;

-- Stores the answer to a review, once. Only the person whom the review is about may call this.
create function private.answer_review(p_review_id uuid, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.subject_id <> v_user then
    perform private.refuse('review_about_another');
  elsif v_review.answer is not null then
    perform private.refuse('review_already_answered');
  end if;
  update private.seat_reviews set answer = private.review_text(p_text, true), answered_at = private.now() where id = v_review.id;
end $$;
select private.publish('answer_review', 'authenticated');

revoke all on private.seat_reviews from public, anon, authenticated, service_role;
