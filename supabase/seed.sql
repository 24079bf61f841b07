-- Demo data: ten people who share plans. Loaded once into an embedded database on loopback, never anywhere else:
-- everybody's password is the public one of demo-accounts.json. Nobody is signed in while it loads, so the triggers
-- keep the times written here, count no attempts and send no notifications of their own.
create temp table demo_people (id uuid primary key, first_name text unique, full_name text, email text, days integer);
insert into demo_people values
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a01', 'Dana', 'Dana Keller', 'demo@potluck.example', 260),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a02', 'Marc', 'Marc Albrecht', 'marc@potluck.example', 258),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a03', 'Olivia', 'Olivia Brandt', 'olivia@potluck.example', 151),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a04', 'Zoe', 'Zoe Laurent', 'zoe@potluck.example', 96),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a05', 'Jonas', 'Jonas Weber', 'jonas@potluck.example', 149),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a06', 'Amira', 'Amira Haddad', 'amira@potluck.example', 132),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a07', 'Luca', 'Luca Moretti', 'luca@potluck.example', 127),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a08', 'Freya', 'Freya Lindqvist', 'freya@potluck.example', 118),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a09', 'Pavel', 'Pavel Novák', 'pavel@potluck.example', 110),
  ('5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a10', 'Sofia', 'Sofia Almeida', 'sofia@potluck.example', 255);

insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at,
  updated_at
)
select
  '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email,
  '$2b$10$h4cnHN1qQeBMT5xTHb3gm.Y.la0o.xQ4yaGm6jcoVescBF7bwH2TC',
  now() - make_interval(days => days),
  '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('sub', id, 'name', first_name, 'email', email, 'email_verified', true, 'phone_verified', false),
  now() - make_interval(days => days),
  now() - make_interval(days => days)
from demo_people;
insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
select
  id, 'email', id::text,
  jsonb_build_object('sub', id, 'name', first_name, 'email', email, 'email_verified', true, 'phone_verified', false),
  now() - make_interval(days => days), now() - make_interval(days => days)
from demo_people;
-- Supabase's own auth service cannot read an account in which one of these columns is null. Not every auth service has all of them.
do $$
declare v_column text;
begin
  for v_column in
    select column_name from information_schema.columns
    where table_schema = 'auth' and table_name = 'users' and column_name in (
      'confirmation_token', 'recovery_token', 'email_change', 'email_change_token_new', 'email_change_token_current',
      'phone_change', 'phone_change_token', 'reauthentication_token'
    )
  loop
    execute format('update auth.users set %1$I = coalesce(%1$I, '''')', v_column);
  end loop;
end $$;

update private.user_details as details set full_name = people.full_name, of_age_at = now() from demo_people as people where people.id = details.user_id;
update private.user_profiles as profile
set created_at = now() - make_interval(days => people.days),
  avatar_url = case when right(people.id::text, 2)::integer <= 8 then format('/avatars/avatar-%s.png', right(people.id::text, 1)) end
from demo_people as people where people.id = profile.user_id;
insert into public.user_roles (user_id, role)
select id, case first_name when 'Sofia' then 'super-admin' else 'moderator' end
from demo_people where first_name in ('Sofia', 'Pavel');

-- The shared plans: the number of places, days until the renewal, and days since the plan was shared.
create temp table demo_plans (owner text, catalogue_id text, places integer, renews integer, days integer);
insert into demo_plans values
  ('Dana', 'netflix-premium', 4, 11, 240),
  ('Dana', 'spotify-premium-family', 6, 19, 120),
  ('Olivia', 'disney-plus-premium', 4, 6, 133),
  ('Olivia', '1password-families', 5, 201, 41),
  ('Olivia', 'nintendo-switch-online-family', 8, 148, 12),
  ('Jonas', 'youtube-premium-family', 6, 3, 128),
  ('Jonas', 'xbox-game-pass-ultimate', 2, 22, 77),
  ('Jonas', 'microsoft-365-family', 6, 96, 33),
  ('Freya', 'apple-one-family', 6, 17, 84),
  ('Freya', 'hbo-max-premium', 4, 25, 29),
  ('Freya', 'duolingo-super-family', 6, 260, 9),
  ('Pavel', 'nordvpn-plus-2-year', 10, 310, 62),
  ('Pavel', 'proton-family', 6, 122, 38),
  ('Pavel', 'netflix-standard', 2, 14, 16),
  ('Luca', 'spotify-premium-family', 5, 8, 54),
  ('Luca', 'dazn-unlimited-flex', 2, 13, 21),
  ('Luca', 'disney-plus-premium', 4, 28, 3),
  ('Amira', 'apple-music-family', 6, 10, 70),
  ('Amira', 'google-one-premium-2tb', 6, 20, 36),
  ('Amira', 'crunchyroll-mega-fan-de-at', 4, 5, 7),
  ('Marc', 'paramount-plus-premium', 4, 16, 48),
  ('Marc', 'dropbox-family', 6, 12, 26),
  ('Marc', 'playstation-plus-extra-annual', 2, 171, 5),
  ('Zoe', 'tidal-family', 6, 9, 44),
  ('Zoe', 'surfshark-one-2-year', 10, 333, 18),
  ('Zoe', 'notion-plus-5-seats', 5, 27, 2),
  ('Sofia', 'netflix-premium', 3, 23, 90),
  ('Sofia', 'bitdefender-premium-security-family', 5, 145, 14);

-- Zoe shares as a trader, a small agency; everybody else as a private person.
insert into private.sellers (user_id, is_trader) select id, false from pg_temp.demo_people where first_name <> 'Zoe';
insert into private.sellers (user_id, is_trader, name, address, email, numbers)
select id, true, 'Zoe Laurent Studio', '12 rue des Lilas, 69003 Lyon, France', 'studio@potluck.example', 'RCS Lyon 123 456 789, VAT FR 12 123456789'
from pg_temp.demo_people where first_name = 'Zoe';

-- Six plans are paid through the site, the others directly. One of the six, Paramount+, admits Proven people at once.
insert into public.shared_subscriptions
  (id, catalogue_plan_id, owner_id, owner_max_members, next_payment, created_at, instant_from, settlement)
select
  'sub-' || (extract(epoch from shared_at) * 1000)::bigint || '-' || left(md5(owner || catalogue_id), 10),
  catalogue_id, people.id, places, current_date + renews, shared_at,
  case catalogue_id when 'paramount-plus-premium' then 'proven' end,
  case when (owner, catalogue_id) in (('Dana', 'netflix-premium'), ('Jonas', 'youtube-premium-family'),
    ('Freya', 'apple-one-family'), ('Freya', 'hbo-max-premium'), ('Sofia', 'netflix-premium'), ('Marc', 'paramount-plus-premium'))
  then 'potluck' else 'direct' end
from demo_plans join demo_people as people on people.first_name = owner,
  lateral (select now() - make_interval(days => demo_plans.days, hours => places) as shared_at) as at
order by shared_at;
-- One plan waits for review by staff, and one was rejected.
insert into public.shared_subscriptions (catalogue_plan_id, owner_id, owner_max_members, next_payment, created_at, status)
select catalogue_id, people.id, 6, current_date + renews, now() - make_interval(days => review.days), status
from (values ('Amira', 'deezer-family', 21, 1, 'pending'), ('Luca', 'tidal-family', 13, 6, 'rejected'))
  as review (owner, catalogue_id, renews, days, status)
join demo_people as people on people.first_name = owner;
update public.subscription_members as seat set joined_at = plan.created_at
from public.shared_subscriptions as plan where plan.id = seat.subscription_id;

-- Price increases: of Netflix and Spotify in the catalogue, and of places in plans shared before these increases.
insert into private.catalogue_prices (catalogue_plan_id, created_at, cost)
values ('netflix-premium', now() - interval '400 days', 17.99), ('spotify-premium-family', now() - interval '300 days', 17.99);
update private.catalogue_prices set created_at = now() - interval '60 days'
where (catalogue_plan_id, cost) in (('netflix-premium', 19.99), ('spotify-premium-family', 21.99));
insert into private.plan_prices (subscription_id, since, cost)
select plan.id, now() - interval '55 days', plan.monthly_cost from public.shared_subscriptions as plan
where plan.catalogue_plan_id in ('netflix-premium', 'spotify-premium-family') and plan.created_at < now() - interval '60 days';
update private.plan_prices as price set cost = round(plan.monthly_cost * 17.99 / plan.total_price, 2)
from public.shared_subscriptions as plan
where plan.id = price.subscription_id and price.since = plan.created_at
  and exists (select from private.plan_prices as later where later.subscription_id = plan.id and later.since > price.since);

-- The id of an owner's plan, by the owner's first name and the catalogue plan.
create function pg_temp.demo_plan(p_owner text, p_catalogue_id text) returns text language sql as $$
  select plan.id from public.shared_subscriptions as plan join pg_temp.demo_people as people on people.id = plan.owner_id
  where people.first_name = p_owner and plan.catalogue_plan_id = p_catalogue_id
$$;
create function pg_temp.demo_person(p_name text) returns uuid language sql as $$
  select id from pg_temp.demo_people where first_name = p_name
$$;

-- The simulated payment provider, and its cards. The card that Dana chose last is declined when it is charged.
insert into private.payment_provider (provider, mode) values ('simulated', 'test') on conflict do nothing;
insert into private.payment_customers (user_id, provider, reference)
select id, 'simulated', 'sim_' || id from demo_people;
insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year, created_at, chosen_at)
select pg_temp.demo_person(who), 'simulated', format('sim_%s_%s', behaviour, gen_random_uuid()), brand, last4, 9,
  extract(year from now())::integer + 3, now() - make_interval(days => days), now() - make_interval(days => days)
from (values ('Dana', 'works', 'visa', '4242', 70), ('Dana', 'no-funds', 'visa', '9995', 20), ('Marc', 'works', 'visa', '4242', 232),
  ('Sofia', 'works', 'mastercard', '4444', 236), ('Luca', 'works', 'visa', '4242', 126), ('Zoe', 'works', 'visa', '4242', 62),
  ('Pavel', 'works', 'mastercard', '4444', 39), ('Olivia', 'works', 'mastercard', '4444', 81), ('Amira', 'works', 'visa', '4242', 41)
) as saved (who, behaviour, brand, last4, days);

-- How many days ago a place must have begun, so that after p_months months a new month began yesterday.
create function pg_temp.months_until_yesterday(p_months integer) returns integer language sql as $$
  select now()::date - ((now() - interval '30 hours')::date - make_interval(months => p_months))::date
$$;

-- The members, and how many days ago they were admitted. For members with an open direct payment, a month has just begun.
create temp table demo_members (owner text, catalogue_id text, member text, days integer);
insert into demo_members values
  ('Dana', 'netflix-premium', 'Marc', pg_temp.months_until_yesterday(7)),
  ('Dana', 'netflix-premium', 'Sofia', 235),
  ('Dana', 'netflix-premium', 'Luca', 125),
  ('Dana', 'spotify-premium-family', 'Luca', pg_temp.months_until_yesterday(3)),
  ('Dana', 'spotify-premium-family', 'Pavel', 101),
  ('Dana', 'spotify-premium-family', 'Freya', pg_temp.months_until_yesterday(2)),
  ('Olivia', 'disney-plus-premium', 'Dana', pg_temp.months_until_yesterday(3)),
  ('Olivia', 'disney-plus-premium', 'Amira', 40),
  ('Olivia', '1password-families', 'Sofia', 30),
  -- Admitted exactly two months ago, so that the third payment has just fallen due.
  ('Jonas', 'youtube-premium-family', 'Dana', now()::date - (now() - interval '2 months')::date),
  ('Jonas', 'youtube-premium-family', 'Zoe', 61),
  ('Jonas', 'youtube-premium-family', 'Pavel', 34),
  ('Jonas', 'xbox-game-pass-ultimate', 'Luca', 66),
  ('Jonas', 'microsoft-365-family', 'Marc', pg_temp.months_until_yesterday(0)),
  ('Freya', 'apple-one-family', 'Olivia', 55),
  ('Freya', 'apple-one-family', 'Marc', 47),
  ('Freya', 'hbo-max-premium', 'Amira', 15),
  ('Pavel', 'nordvpn-plus-2-year', 'Olivia', 52),
  ('Pavel', 'nordvpn-plus-2-year', 'Jonas', 45),
  ('Pavel', 'nordvpn-plus-2-year', 'Sofia', 23),
  ('Pavel', 'netflix-standard', 'Amira', 11),
  ('Luca', 'spotify-premium-family', 'Jonas', 43),
  ('Luca', 'spotify-premium-family', 'Sofia', 31),
  ('Amira', 'apple-music-family', 'Freya', 58),
  ('Amira', 'google-one-premium-2tb', 'Zoe', 24),
  ('Marc', 'paramount-plus-premium', 'Pavel', 37),
  ('Zoe', 'tidal-family', 'Luca', 27),
  ('Sofia', 'netflix-premium', 'Olivia', 80);
-- Members whose places have ended, how many days ago, and why.
create temp table demo_gone (owner text, catalogue_id text, member text, days integer, reason text);
insert into demo_gone values
  ('Dana', 'netflix-premium', 'Sofia', 92, 'left'),
  ('Dana', 'netflix-premium', 'Luca', 30, 'removed');
-- Without the address of the functions, no job calls them, so the rows below cause no charge.
set local app.settings.project_url = '';
insert into public.subscription_requests (subscription_id, user_id, message, status, requested_at, begins_at_once_at, decided_at)
select
  pg_temp.demo_plan(owner, catalogue_id), pg_temp.demo_person(member), 'I would love to join.', 'approved',
  now() - make_interval(days => days, hours => 9), now() - make_interval(days => days, hours => 9), now() - make_interval(days => days)
from demo_members;
select private.add_member(pg_temp.demo_plan(owner, catalogue_id), pg_temp.demo_person(member), false)
from demo_members order by days desc;
update public.subscription_members as seat set joined_at = now() - make_interval(days => demo.days)
from demo_members as demo
where seat.subscription_id = pg_temp.demo_plan(demo.owner, demo.catalogue_id)
  and seat.user_id = pg_temp.demo_person(demo.member);

-- Open requests, with one for each colour of the expiry badge on Dana's Netflix plan, and requests that are over.
create temp table demo_requests (owner text, catalogue_id text, person text, message text, status text, hours integer);
insert into demo_requests values
  ('Dana', 'netflix-premium', 'Jonas', 'Hi Dana, is there still a place? I mostly watch on weekends.', 'pending', 9),
  ('Dana', 'netflix-premium', 'Amira', 'Hello! I can pay by the first of every month.', 'pending', 38),
  ('Dana', 'netflix-premium', 'Zoe', 'Marc told me about your plan.', 'pending', 43),
  ('Dana', 'spotify-premium-family', 'Olivia', 'One place for my commute, please.', 'pending', 2),
  ('Freya', 'apple-one-family', 'Dana', 'Hi Freya, we know each other from Spotify.', 'pending', 21),
  ('Olivia', 'nintendo-switch-online-family', 'Luca', 'Mario Kart on Fridays?', 'pending', 5),
  ('Luca', 'disney-plus-premium', 'Pavel', '', 'pending', 30),
  ('Dana', 'spotify-premium-family', 'Sofia', 'May I join again?', 'rejected', 700),
  ('Dana', 'netflix-premium', 'Freya', 'Never mind, I found one at home.', 'cancelled', 1500),
  ('Marc', 'dropbox-family', 'Dana', 'I need some space for photos.', 'rejected', 400);
insert into public.subscription_requests (subscription_id, user_id, message, status, requested_at, begins_at_once_at, decided_at)
select
  pg_temp.demo_plan(owner, catalogue_id), pg_temp.demo_person(person), message, status,
  now() - make_interval(hours => hours), now() - make_interval(hours => hours),
  case when status <> 'pending' then now() - make_interval(hours => hours - 6) end
from demo_requests;

-- How some owners are paid, and the direct payments that are open: those of the last `months` months.
insert into public.payment_wishes (user_id, kind, iban, holder) values
  (pg_temp.demo_person('Dana'), 'iban', 'DE02120300000000202051', 'Dana Keller'),
  (pg_temp.demo_person('Olivia'), 'iban', 'DE89370400440532013000', 'Olivia Brandt');
insert into public.payment_wishes (user_id, kind, note) values
  (pg_temp.demo_person('Jonas'), 'text', 'A standing order suits me best. Ask me for my account in the chat.'),
  (pg_temp.demo_person('Freya'), 'text', 'By the payment app of your bank, to the number I send you in the chat.');
create temp table demo_open (owner text, catalogue_id text, member text, months integer, status text, note text);
insert into demo_open values
  ('Dana', 'netflix-premium', 'Marc', 1, 'due', null),
  ('Dana', 'spotify-premium-family', 'Luca', 1, 'claimed', null),
  ('Dana', 'spotify-premium-family', 'Pavel', 2, 'due', null),
  ('Dana', 'spotify-premium-family', 'Freya', 1, 'due', 'Nothing has reached my account yet.'),
  ('Olivia', 'disney-plus-premium', 'Dana', 1, 'due', null),
  ('Jonas', 'microsoft-365-family', 'Marc', 1, 'claimed', null);

-- The payments of every seat since it began. Direct payments are paid, except those in demo_open.
update private.seats as seat set opened_at = member.joined_at, anchor = (member.joined_at at time zone 'utc')::date,
  withdrawable_until = case seat.settlement when 'potluck' then member.joined_at + private.contract_withdrawal_period() end,
  admitted_at = member.joined_at, access_given_at = member.joined_at, access_due_at = null, access_confirmed_at = member.joined_at + interval '3 hours'
from public.subscription_members as member
where member.subscription_id = seat.subscription_id and member.user_id = seat.member_id;
delete from private.charges;
delete from public.member_payments;
create temp table demo_seats as
select seat.*, gone.reason, coalesce(now() - make_interval(days => gone.days), now()) as until
from private.seats as seat left join demo_gone as gone
  on seat.subscription_id = pg_temp.demo_plan(gone.owner, gone.catalogue_id) and seat.member_id = pg_temp.demo_person(gone.member);
do $$
declare
  v_seat private.seats;
  v_paid public.member_payments;
  v_open record;
  v_until timestamptz;
begin
  for v_seat in select * from private.seats order by opened_at loop
    v_until := (select until from pg_temp.demo_seats where id = v_seat.id);
    for v_number in 1 .. 12 loop
      perform private.open_payments(array[v_seat.id], array[v_number], array[case v_number when 1 then v_seat.opened_at + interval '2 hours'
        else private.period_end(v_seat.anchor, v_number - 1, 'UTC') end]);
      update public.member_payments set due_at = starts_at, created_at = starts_at, next_attempt_at = null
      where seat_id = v_seat.id and number = v_number returning * into v_paid;
      if v_seat.settlement = 'direct' then
        -- An open payment: due, late, claimed as paid, or denied by the owner.
        select * into v_open from pg_temp.demo_open as open
        where v_seat.subscription_id = pg_temp.demo_plan(open.owner, open.catalogue_id)
          and v_seat.member_id = pg_temp.demo_person(open.member) and v_paid.ends_at > now() - make_interval(months => open.months - 1);
        if found then
          update public.member_payments set status = v_open.status, note = v_open.note,
            reminders = case v_open.months when 1 then 1 else 3 end,
            claimed_at = case v_open.status when 'claimed' then now() - interval '5 hours' end
          where id = v_paid.id;
        else
          update public.member_payments set status = 'paid', claimed_at = starts_at, paid_at = starts_at
          where id = v_paid.id;
        end if;
      end if;
      exit when v_paid.ends_at > v_until;
    end loop;
    perform private.follow_direct_payments(v_seat.id);
  end loop;
end $$;

-- Makes the named person the acting user of the following calls; with null, the server itself.
create function pg_temp.demo_speaker(p_name text) returns void language sql as $$
  select set_config('request.jwt.claims',
    coalesce((select json_build_object('sub', id, 'role', 'authenticated')::text from pg_temp.demo_people where first_name = p_name), ''), true)
$$;
-- A problem with access that Marc reported and Dana fixed.
create temp table demo_said (person text, at timestamptz, what text);
insert into demo_said values
  ('Marc', now() - interval '12 days', 'report'),
  ('Dana', now() - interval '12 days' + interval '5 hours', 'fixed'),
  ('Marc', now() - interval '12 days' + interval '7 hours', 'works');

-- Payments through the site, replayed in order on the site's clock: each is charged, earned week by week, and closed, or refunded when its
-- seat ended. Dana has one completed withdrawal, and another one waits.
do $$
declare v_step record;
begin
  for v_step in
    select * from (
      select m.id, m.seat_id, m.amount, step.at, step.what
      from public.member_payments as m join pg_temp.demo_seats as seat on seat.id = m.seat_id
      cross join lateral (
        select m.starts_at, case when m.ends_at > now() and m.member_id = pg_temp.demo_person('Dana') then 'fail' else 'pay' end
        union all
        select week, 'earn'
        from generate_series(m.starts_at + private.earning_step(), least(m.ends_at, seat.until), private.earning_step()) as week
        where week < m.ends_at
        union all
        select m.ends_at, 'close' where m.ends_at <= seat.until
      ) as step (at, what)
      where m.settlement = 'potluck'
      union all
      select null, id, null, until, reason from pg_temp.demo_seats where reason is not null
      union all
      select null, null, 20, now() - make_interval(days => 24), 'pay out'
      union all
      select null, seat.id, null, said.at, said.what from pg_temp.demo_said as said, pg_temp.demo_seats as seat
      where seat.subscription_id = pg_temp.demo_plan('Dana', 'netflix-premium') and seat.member_id = pg_temp.demo_person('Marc')
    ) as steps order by at, what <> 'close'
  loop
    update private.clock set ahead = v_step.at - now();
    perform pg_temp.demo_speaker(null);
    case v_step.what
      when 'pay', 'fail' then
        update private.charges as c set intent = 'sim_' || v_step.id, status = 'charging', created_at = v_step.at,
          (card, tried_id) = (select format('%s %s', card.brand, card.last4), card.id from public.payment_methods as card join public.member_payments as m
            on m.id = v_step.id and m.member_id = card.user_id order by (card.last4 = '9995') = (v_step.what = 'fail') desc limit 1)
        where c.payment_id = v_step.id;
        perform private.record_charge('sim_' || v_step.id, case v_step.what when 'pay' then 'succeeded' else 'failed' end,
          case v_step.what when 'fail' then 'insufficient_funds' end, v_step.amount, 0, false);
      when 'earn' then perform private.record_earnings(v_step.id);
      when 'close' then perform private.close_payment(v_step.id);
      when 'report' then
        perform pg_temp.demo_speaker('Marc');
        perform private.report_problem(v_step.seat_id, 'password', 'The TV asks for the password, and it does not take the one I have.');
      when 'fixed' then
        perform pg_temp.demo_speaker('Dana');
        perform private.say_fixed(private.open_problem(v_step.seat_id), 'I changed it on Sunday and forgot to tell you. The new one is in the chat.');
      when 'works' then
        perform pg_temp.demo_speaker('Marc');
        perform private.answer_fix(private.open_problem(v_step.seat_id), true, null);
      when 'pay out' then
        insert into public.withdrawal_requests (user_id, amount, requested_at)
        values (pg_temp.demo_person('Dana'), v_step.amount, v_step.at - interval '2 days');
        update public.withdrawal_requests set status = 'processing', stripe_transfer_id = 'tr_demo_1', bank_account_last4 = '4821';
        update public.withdrawal_requests set status = 'completed';
      else
        perform private.settle_seat(seat.id, v_step.what, case v_step.what when 'left' then seat.member_id else seat.owner_id end)
        from private.seats as seat where seat.id = v_step.seat_id;
        delete from public.subscription_members as member using private.seats as seat
        where seat.id = v_step.seat_id and member.subscription_id = seat.subscription_id and member.user_id = seat.member_id;
    end case;
    perform private.record_refund(id::text, 'sim_' || id, 'succeeded', null) from private.refunds where status = 'queued';
  end loop;
  -- Pavel has paid for a place in Dana's plan and waits for access; Freya reports that her access does not work.
  update private.clock set ahead = '-20 hours';
  insert into public.subscription_requests (subscription_id, user_id, status, requested_at, begins_at_once_at, decided_at)
  values (pg_temp.demo_plan('Dana', 'netflix-premium'), pg_temp.demo_person('Pavel'), 'approved', now() - interval '23 hours',
    now() - interval '23 hours', now() - interval '20 hours');
  perform private.add_member(pg_temp.demo_plan('Dana', 'netflix-premium'), pg_temp.demo_person('Pavel'), false);
  update private.charges as c set intent = 'sim_' || m.id, status = 'charging', card = 'mastercard 4444' from public.member_payments as m
  where m.id = c.payment_id and m.starts_at is null;
  perform private.record_charge('sim_' || id, 'succeeded', null, amount, 0, false) from public.member_payments where starts_at is null;
  update private.clock set ahead = '-5 hours';
  perform pg_temp.demo_speaker('Freya');
  perform private.report_problem(seat.id, 'removed', 'It says that I am no longer part of the family.') from private.seats as seat
  where seat.subscription_id = pg_temp.demo_plan('Dana', 'spotify-premium-family') and seat.member_id = pg_temp.demo_person('Freya');
  perform pg_temp.demo_speaker(null);
  update private.clock set ahead = '0';
  delete from private.payment_jobs;
  perform private.schedule_seat(id) from private.seats where ended_at is null;
end $$;
update public.user_wallets as wallet set
  created_at = moved.first, updated_at = moved.last
from (
  select user_id, min(created_at) as first, max(created_at) as last from public.coin_transactions group by user_id
) as moved where moved.user_id = wallet.user_id;
-- The trigger dates a withdrawal by its decision; these withdrawals were decided earlier.
alter table public.withdrawal_requests disable trigger decide;
update public.withdrawal_requests set
  processed_at = now() - interval '25 days', completed_at = now() - interval '24 days';
alter table public.withdrawal_requests enable trigger decide;
insert into public.withdrawal_requests (user_id, amount, requested_at)
values (pg_temp.demo_person('Dana'), 20, now() - interval '20 hours');

-- Dana's notifications. Those that the steps above have caused are deleted, except about the failed payment.
delete from public.user_notifications where event is distinct from 'payment-failed';
update public.user_notifications set created_at = now() - interval '2 hours';
insert into public.user_notifications
select notice.* from (values
  ('info', 'Dana', 'spotify-premium-family', false, 2, 'request-made', '{"plan": "Spotify Premium Family", "member": "Olivia"}'),
  ('info', 'Dana', 'netflix-premium', false, 9, 'request-made', '{"plan": "Netflix Premium", "member": "Jonas"}'),
  ('info', 'Dana', 'netflix-premium', false, 38, 'request-made', '{"plan": "Netflix Premium", "member": "Amira"}'),
  ('info', 'Dana', 'netflix-premium', true, 43, 'request-made', '{"plan": "Netflix Premium", "member": "Zoe"}'),
  ('info', 'Marc', 'dropbox-family', true, 394, 'request-rejected', '{"plan": "Dropbox Family"}'),
  ('info', 'Dana', 'spotify-premium-family', true, 960, 'member-left', '{"plan": "Spotify Premium Family", "member": "Sofia"}'),
  ('success', 'Jonas', 'youtube-premium-family', true, 1400, 'request-approved', '{"plan": "YouTube Premium Family"}'),
  ('success', 'Olivia', 'disney-plus-premium', true, 2208, 'request-approved', '{"plan": "Disney+ Premium"}')
) as told (type, owner, catalogue_id, read, hours, event, params)
cross join lateral jsonb_populate_record(
  private.notice(pg_temp.demo_person('Dana'), type, pg_temp.demo_plan(owner, catalogue_id), event, params::jsonb),
  jsonb_build_object('read', told.read, 'created_at', now() - make_interval(hours => hours))) as notice;

-- Chat messages.
create temp table demo_messages (owner text, catalogue_id text, member text, sender text, content text, hours integer);
insert into demo_messages values
  ('Dana', 'netflix-premium', 'Marc', 'Dana', 'Welcome on board! Your profile is the green one.', 5500),
  ('Dana', 'netflix-premium', 'Marc', 'Marc', 'Thanks, it works on the TV and on my phone.', 5499),
  ('Dana', 'netflix-premium', 'Marc', 'Marc', 'Zoe asked me whether there is still a place. I sent her to you.', 44),
  ('Dana', 'netflix-premium', 'Marc', 'Marc', 'And happy birthday for tomorrow!', 1),
  ('Dana', 'spotify-premium-family', 'Luca', 'Luca', 'Do we all need the same home address for this one?', 2700),
  ('Dana', 'spotify-premium-family', 'Luca', 'Dana', 'Yes, use ours. I sent you the details by letter.', 2698),
  ('Dana', 'spotify-premium-family', 'Luca', 'Luca', 'Perfect.', 2697),
  ('Dana', 'spotify-premium-family', 'Sofia', 'Sofia', 'I am moving abroad, so I have to leave. Thank you for everything!', 961),
  ('Olivia', 'disney-plus-premium', 'Dana', 'Dana', 'Hi Olivia, which account shall I sign in to?', 2200),
  ('Olivia', 'disney-plus-premium', 'Dana', 'Olivia', 'The login is on the plan page. I tell you the password on the phone.', 2199),
  ('Olivia', 'disney-plus-premium', 'Dana', 'Olivia', 'I renew on Friday. Everybody still in?', 3),
  ('Jonas', 'youtube-premium-family', 'Dana', 'Jonas', 'Invitation to the family group is on its way.', 1395),
  ('Jonas', 'youtube-premium-family', 'Dana', 'Dana', 'Got it, thank you!', 1390);
insert into public.conversations (subscription_id, owner_id, member_id, archived, created_at)
select
  pg_temp.demo_plan(owner, catalogue_id), pg_temp.demo_person(owner), pg_temp.demo_person(member), member = 'Sofia',
  now() - make_interval(hours => max(hours))
from demo_messages group by owner, catalogue_id, member;
insert into public.chat_participants (conversation_id, user_id)
select id, side from public.conversations, unnest(array[owner_id, member_id]) as side;
insert into public.messages (conversation_id, sender_id, content, metadata, created_at)
select
  conversation.id, pg_temp.demo_person(sender)::text, content, '{"status": "delivered", "retry_count": 0}',
  now() - make_interval(hours => hours)
from demo_messages join public.conversations as conversation
  on conversation.subscription_id = pg_temp.demo_plan(owner, catalogue_id)
  and conversation.member_id = pg_temp.demo_person(member)
order by hours desc;
-- A chat is read if the person wrote its last message, or if that message is older than a week.
update public.chat_participants as side set has_unread = false
from (
  select distinct on (conversation_id) conversation_id, sender_id, created_at
  from public.messages order by conversation_id, created_at desc
) as latest
where latest.conversation_id = side.conversation_id
  and (latest.sender_id = side.user_id::text or latest.created_at < now() - interval '7 days');
-- Demo data sends no mail.
delete from private.outgoing_mail;

-- Requests for missing providers: two wait, two are decided.
insert into public.provider_requests (user_id, provider_name, category, website_url, description, plans_data, status, created_at)
select
  pg_temp.demo_person(who), name, category, website, description,
  jsonb_build_array(jsonb_build_object(
    'plan_name', plan, 'price', price, 'billing_cycle', cycle, 'max_members', people, 'features', features
  )),
  status, now() - make_interval(hours => hours)
from (values
  ('Dana', 'MUBI', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one every day. Two of us would share it.',
    'Annual', 119.88, 'yearly', 2, '["Films without adverts", "Downloads"]'::jsonb, 'pending', 26),
  ('Dana', '1Password', 'Security', 'https://1password.com', 'A password manager that families can share.',
    'Families', 4.99, 'monthly', 5, '["Shared vaults"]', 'approved', 900),
  ('Dana', 'Corner Gym', 'Fitness', 'https://corner-gym.example', 'My gym sells a card for a whole family.',
    'Family card', 59, 'monthly', 3, '[]', 'rejected', 1400),
  ('Olivia', 'Blinkist', 'Education', 'https://www.blinkist.com', 'Short versions of non-fiction books, read or heard.',
    'Premium', 79.99, 'yearly', 2, '["Offline listening"]', 'pending', 50)
) as asked (who, name, category, website, description, plan, price, cycle, people, features, status, hours);

drop function pg_temp.demo_plan(text, text), pg_temp.demo_person(text), pg_temp.demo_speaker(text);
drop table demo_people, demo_plans, demo_members, demo_gone, demo_seats, demo_open, demo_requests, demo_messages, demo_said;

update public.operator set name = 'Olivia & Sons', street = 'Lange Straße 1', postcode = '10243', town = 'Berlin', country = 'DE',
  email = 'olivia@potluck.example';

-- The records of rows that this file has changed are written again; none of them is sealed yet.
alter table private.sealed_records disable trigger keep;
delete from private.sealed_records as r where not exists (select from private.ledger_seals as s where s.record_id = r.id);
alter table private.sealed_records enable trigger keep;
select private.record_rows();
