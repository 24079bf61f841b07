-- Decisions of staff about a person or what they have published, each with its reasons, which the person can read and appeal against
-- (Regulation (EU) 2022/2065, Art. 17 and 20). No decision is made without reasons, and nothing here is decided automatically.

-- How long a person can appeal against a decision.
create function private.appeal_period() returns interval
language sql immutable return interval '6 months';
-- The maximum lengths of the law or paragraph that a decision names, and of its facts, in characters.
create function private.longest_clause() returns integer
language sql immutable return 200;
create function private.longest_facts() returns integer
language sql immutable return 1000;

create table private.decisions (
  id uuid primary key default gen_random_uuid(),
  -- The person whom the decision is about, and what was done.
  person_id uuid not null references private.user_profiles (user_id) on delete cascade,
  measure text not null check (measure in ('warned', 'plan-rejected', 'plan-hidden', 'plan-made-private', 'provider-closed', 'review-hidden',
    'message-removed', 'picture-removed', 'suspended', 'payouts-held')),
  -- The id of the plan, review or message, and the name of the plan, or of the person whom the review is about.
  subject_id text,
  subject text not null default '',
  -- What was removed, so that it can be restored: a message, or the address of a picture.
  content text,
  -- What the decision is based on: these terms, a law, or the terms of a provider; and which section of them.
  ground text not null check (ground in ('terms', 'law', 'provider')),
  clause text not null check (char_length(btrim(clause)) between 1 and private.longest_clause()),
  -- The facts: a text in every language (functions/_shared/words/events.ts), or `own`; and what staff wrote themselves.
  block text not null,
  facts text not null check (char_length(facts) <= private.longest_facts() and (block <> 'own' or facts <> '')),
  -- When a suspension or a hold ends by itself; null if it does not.
  until timestamptz,
  -- The report that led to the decision; null if staff looked into it themselves.
  case_id uuid,
  decided_at timestamptz not null default private.now(),
  decided_by uuid references private.user_profiles (user_id) on delete set null,
  -- Hashes of the secrets in the mailed links, which work without signing in.
  token_hashes text[] not null default '{}',
  -- When the decision was taken back.
  undone_at timestamptz
);
create index decisions_person_idx on private.decisions (person_id, decided_at desc);
create index decisions_case_idx on private.decisions (case_id);
create index decisions_decided_by_idx on private.decisions (decided_by);
create index decisions_subject_idx on private.decisions (subject_id) where undone_at is null;
create index decisions_tokens_idx on private.decisions using gin (token_hashes);
alter table private.decisions enable row level security;

create type private.reasons as (ground text, clause text, block text, facts text);

-- The names of the texts in every language that state the facts of a decision.
create function private.fact_blocks() returns text[]
language sql immutable
return '{sharing,untrue,no-access,outside,insult,private-data,advert,rights,own}'::text[];

-- Returns the reasons that staff give for a decision, {ground, clause, block, facts}. Refuses a decision without them.
create function private.require_reasons(p_reasons jsonb) returns private.reasons
language plpgsql immutable set search_path = '' as $$
declare
  v_reasons private.reasons := (p_reasons ->> 'ground', btrim(coalesce(p_reasons ->> 'clause', '')), coalesce(p_reasons ->> 'block', 'own'),
    btrim(coalesce(p_reasons ->> 'facts', '')))::private.reasons;
begin
  if (v_reasons.ground in ('terms', 'law', 'provider')) is not true then
    perform private.refuse('ground_missing');
  elsif private.visible_length(v_reasons.clause) = 0 or char_length(v_reasons.clause) > private.longest_clause() then
    perform private.refuse('clause_missing', private.longest_clause()::text);
  elsif v_reasons.block <> all (private.fact_blocks())
    or v_reasons.block = 'own' and private.visible_length(v_reasons.facts) = 0 then
    perform private.refuse('facts_missing');
  elsif char_length(v_reasons.facts) > private.longest_facts() then
    perform private.refuse('text_too_long', private.longest_facts()::text);
  end if;
  return v_reasons;
end $$;

-- Returns the parameters of a decision's words.
create function private.decision_params(p_decision private.decisions) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', p_decision.id, 'measure', p_decision.measure, 'plan', p_decision.subject, 'person', p_decision.subject, 'ground', p_decision.ground,
    'clause', p_decision.clause, 'block', p_decision.block, 'facts', p_decision.facts, 'more', p_decision.facts <> '',
    'ends', p_decision.until is not null, 'until', p_decision.until, 'reported', p_decision.case_id is not null,
    'day', private.day_in(p_decision.decided_at + private.appeal_period(), private.zone_of(p_decision.person_id)))
$$;

-- Returns the path of a decision with a new secret, for a mail.
create function private.decision_path(p_decision_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  update private.decisions set token_hashes = token_hashes || private.hash_of(v_token) where id = p_decision_id;
  return '/decision/' || v_token;
end $$;

-- Records a decision and sends its reasons to the person.
create function private.record_decision(
  p_person_id uuid, p_measure text, p_subject_id text, p_subject text, p_reasons private.reasons, p_until timestamptz default null,
  p_case_id uuid default null, p_content text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_decision private.decisions;
begin
  insert into private.decisions (person_id, measure, subject_id, subject, content, ground, clause, block, facts, until, case_id, decided_by)
  values (p_person_id, p_measure, p_subject_id, coalesce(p_subject, ''), p_content, p_reasons.ground, p_reasons.clause, p_reasons.block,
    p_reasons.facts, p_until, p_case_id, (select user_id from private.user_profiles where user_id = auth.uid()))
  returning * into v_decision;
  perform private.mail_notification(
    private.notify(p_person_id, 'warning', (select id from public.shared_subscriptions where id = p_subject_id), 'decision',
      private.decision_params(v_decision)),
    '{}', private.decision_path(v_decision.id));
end $$;

-- Takes a decision back without an appeal, when staff let in, restore or release what it was about. Those that have ended by themselves
-- stay.
create function private.mark_undone(p_person_id uuid, p_measures text[], p_subject_id text default null) returns void
language sql volatile security definer set search_path = '' as $$
  update private.decisions set undone_at = private.now()
  where person_id = p_person_id and measure = any (p_measures) and undone_at is null and (p_subject_id is null or subject_id = p_subject_id)
    and (until is null or until > private.now())
$$;

-- Returns the permission that a decision of this kind takes. Admins alone decide on accounts and money.
create function private.permission_for(p_measure text) returns text
language sql immutable return case when p_measure in ('suspended', 'payouts-held') then 'users.edit' when p_measure in ('plan-made-private', 'provider-closed')
  then 'subscriptions.delete' else 'subscriptions.approve' end;

-- Hides a person's plan from everybody but its members, and rejects its open requests. Returns the plan's name.
create function private.hide_plan(p_subscription_id text, p_owner_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id and owner_id = p_owner_id for no key update;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_plan.status = 'rejected' then
    perform private.refuse('plan_already_in_status', v_plan.status);
  end if;
  update public.shared_subscriptions set status = 'rejected' where id = v_plan.id returning * into v_plan;
  perform private.reject_request(v_plan, r) from public.subscription_requests as r
  where r.subscription_id = v_plan.id and private.is_open_request(r);
  perform private.cancel_mail(w.id::text) from public.waiting_list as w
  where w.subscription_id = v_plan.id and w.offered_until is not null;
  update public.waiting_list as w set offered_until = null where w.subscription_id = v_plan.id and w.offered_until is not null;
  return v_plan.provider || ' ' || v_plan.name;
end $$;

-- Removes a message and, if it was announced to all members, its other copies. Returns its text.
create function private.remove_message(p_message_id uuid, p_sender_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_message public.messages;
begin
  select * into v_message from public.messages where id = p_message_id and sender_id = p_sender_id::text and not is_removed for update;
  if not found then
    perform private.refuse('message_not_found');
  end if;
  update public.messages as m set content = '–', is_removed = true
  where m.id = v_message.id or v_message.message_type = 'announcement' and m.message_type = 'announcement'
    and m.sender_id = v_message.sender_id and m.content = v_message.content
    and m.created_at between v_message.created_at - interval '1 minute' and v_message.created_at + interval '1 minute';
  return v_message.content;
end $$;

-- Makes a decision about a person, for staff whose role allows it. p_subject_id is the plan, review or message; p_days the length of a
-- suspension, null for one without an end.
create function private.make_decision(
  p_person_id uuid, p_measure text, p_reasons jsonb, p_subject_id text default null, p_days integer default null, p_case_id uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_reasons private.reasons := private.require_reasons(p_reasons);
  v_subject text;
  v_content text;
  v_until timestamptz;
begin
  if not private.may('subscriptions.approve') then
    perform private.refuse('only_staff_decides');
  elsif p_person_id = v_user then
    perform private.refuse('own_decision');
  elsif not exists (select from private.user_profiles where user_id = p_person_id and deleted_at is null and guest_of is null) then
    perform private.refuse('person_not_found');
  end if;
  case p_measure
    when 'warned' then null;
    when 'plan-hidden' then v_subject := private.hide_plan(p_subject_id, p_person_id);
    when 'review-hidden' then
      if exists (select from private.seat_reviews where id = private.uuid_in(p_subject_id) and subject_id = v_user) then
        perform private.refuse('own_decision');
      end if;
      update private.seat_reviews set hidden_at = private.now()
      where id = private.uuid_in(p_subject_id) and author_id = p_person_id and hidden_at is null
      returning (select display_name from private.user_profiles where user_id = subject_id) into v_subject;
      if not found then
        perform private.refuse('review_not_found');
      end if;
    when 'message-removed' then v_content := private.remove_message(private.uuid_in(p_subject_id), p_person_id);
    when 'picture-removed' then
      select avatar_url into v_content from private.user_profiles where user_id = p_person_id and avatar_url is not null for update;
      if not found then
        perform private.refuse('picture_not_found');
      end if;
      update private.user_profiles set avatar_url = null where user_id = p_person_id;
    when 'suspended' then v_until := private.suspend_person(p_person_id, p_days);
    else perform private.refuse('measure_unknown');
  end case;
  perform private.record_decision(p_person_id, p_measure, p_subject_id, v_subject, v_reasons, v_until, p_case_id, v_content);
end $$;

-- Decides about a person or their content without a report.
create function private.decide_about(
  p_person_id uuid, p_measure text, p_reasons jsonb, p_subject_id text default null, p_days integer default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_case_worker();
  -- Messages are private, so staff act on one only if it was reported.
  if p_measure = 'message-removed' then
    perform private.refuse('measure_unknown');
  end if;
  perform private.make_decision(p_person_id, p_measure, p_reasons, p_subject_id, p_days);
end $$;
select private.publish('decide_about', 'authenticated');

-- Undoes what a decision did, as far as it is still in force: nothing happens twice, what is gone stays gone, and a later decision of the
-- same kind stands.
create function private.undo_decision(p_decision private.decisions) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_is_over boolean := p_decision.undone_at is not null or exists (
    select from private.decisions as d where d.person_id = p_decision.person_id and d.decided_at > p_decision.decided_at
      and replace(d.measure, 'rejected', 'hidden') = replace(p_decision.measure, 'rejected', 'hidden')
      and d.subject_id is not distinct from p_decision.subject_id and d.undone_at is null);
begin
  case (case when v_is_over then 'warned' else p_decision.measure end)
    when 'warned' then null;
    when 'plan-rejected', 'plan-hidden' then
      update public.shared_subscriptions set status = 'active' where id = p_decision.subject_id and status = 'rejected';
    when 'plan-made-private', 'provider-closed' then
      delete from public.provider_rules as r using public.shared_subscriptions as p where p.id = p_decision.subject_id and r.provider = p.provider;
      if private.rule_of((select provider from public.shared_subscriptions where id = p_decision.subject_id)) <> 'listed' then
        perform private.refuse('provider_rule_stands');
      elsif p_decision.measure = 'plan-made-private' then
        update public.shared_subscriptions set is_private = false where id = p_decision.subject_id and is_private;
      end if;
    when 'review-hidden' then
      update private.seat_reviews set hidden_at = null where id = private.uuid_in(p_decision.subject_id);
    when 'message-removed' then
      update public.messages as m set content = p_decision.content, is_removed = false
      from public.messages as one where one.id = private.uuid_in(p_decision.subject_id)
        and (m.id = one.id or one.message_type = 'announcement' and m.message_type = 'announcement' and m.sender_id = one.sender_id
          and m.is_removed and m.created_at between one.created_at - interval '1 minute' and one.created_at + interval '1 minute');
    when 'picture-removed' then
      update private.user_profiles set avatar_url = p_decision.content where user_id = p_decision.person_id and avatar_url is null;
    when 'suspended' then
      if private.is_suspended(p_decision.person_id) then
        perform private.lift_suspension(p_decision.person_id);
      end if;
    else
      if (private.current_hold(p_decision.person_id)).id is not null then
        perform private.release_payouts(p_decision.person_id);
      end if;
  end case;
  update private.decisions set undone_at = coalesce(undone_at, private.now()) where id = p_decision.id;
end $$;

-- Returns the decision with this id, if it is about the acting user, or the decision of this mailed link. Raises PT404 if there is none.
create function private.find_decision(p_key text) returns private.decisions
language plpgsql stable security definer set search_path = '' as $$
declare v_decision private.decisions;
begin
  select * into v_decision from private.decisions where id = private.uuid_in(p_key) and person_id = auth.uid();
  if v_decision.id is null then
    select * into v_decision from private.decisions where token_hashes @> array[private.hash_of(p_key)];
  end if;
  if v_decision.id is null then
    perform private.refuse('link_unknown');
  end if;
  return v_decision;
end $$;

-- Returns a decision with its reasons and the appeal against it, for the person whom it is about: `params` are those of its words.
create function private.get_decision(p_key text)
returns table (params jsonb, decided_at timestamptz, appeal_by timestamptz, undone_at timestamptz, appeal text, appealed_at timestamptz,
  outcome text, answer text, answered_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_decision private.decisions := private.find_decision(p_key);
begin
  return query
    select private.decision_params(v_decision), v_decision.decided_at, v_decision.decided_at + private.appeal_period(), v_decision.undone_at,
      c.body, c.opened_at, c.outcome, c.answer, c.closed_at
    from (select) as one left join public.cases as c on c.kind = 'appeal' and c.subject_id = v_decision.id::text;
end $$;
select private.publish('get_decision', 'anon', 'authenticated');

-- Appeals against a decision, once, within private.appeal_period().
create function private.appeal_decision(p_key text, p_body text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_decision private.decisions := private.find_decision(p_key);
begin
  perform from private.decisions where id = v_decision.id for update;
  if v_decision.undone_at is not null then
    perform private.refuse('decision_undone');
  elsif v_decision.decided_at + private.appeal_period() <= private.now() then
    perform private.refuse('appeal_too_late');
  elsif exists (select from public.cases where kind = 'appeal' and subject_id = v_decision.id::text) then
    perform private.refuse('already_appealed');
  end if;
  insert into public.cases (kind, person_id, writer_id, subject_id, body)
  values ('appeal', v_decision.person_id, v_decision.person_id, v_decision.id::text, private.case_text(p_body));
  perform private.tell_staff_of_case(v_decision.person_id, p_body, private.permission_for(v_decision.measure));
end $$;
select private.publish('appeal_decision', 'anon', 'authenticated');

create function private.tg_decisions__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('decided ' || new.measure, new.person_id::text, jsonb_build_object('subject', new.subject_id, 'ground', new.ground,
    'clause', new.clause, 'block', nullif(new.block, 'own'), 'reason', nullif(new.facts, ''), 'until', new.until, 'case', new.case_id));
  return null;
end $$;
create trigger log_staff after insert on private.decisions
  for each row execute function private.tg_decisions__log_staff();

revoke all on private.decisions from public, anon, authenticated, service_role;
