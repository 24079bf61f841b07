-- Conflicting evidence of a buyer's country: the country that the buyer states differs from that of their card or bank. Staff
-- decide which one is right, because the VAT on the fee depends on it and the law requires evidence that agrees.

create table private.country_questions (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  -- The country the person states, and that of their card or bank account.
  declared text not null check (declared ~ '^[A-Z]{2}$'),
  card text not null check (card ~ '^[A-Z]{2}$'),
  asked_at timestamptz not null default private.now(),
  -- The country that staff consider right; null until they have decided.
  decided text check (decided in (declared, card)),
  check (declared <> card)
);
alter table private.country_questions enable row level security;

-- Returns the country that decides the VAT: the one that staff have chosen, or that the evidence agrees on. If the evidence
-- conflicts, the stated country counts unless it has no VAT rate and the card's country has one, so that a false statement does not
-- avoid VAT.
create function private.country_of(p_evidence jsonb, p_day date) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_declared text := p_evidence ->> 'declared';
  v_card text := p_evidence ->> 'card';
begin
  return coalesce(p_evidence ->> 'decided',
    case when private.vat_rate(v_declared, p_day) is null and private.vat_rate(v_card, p_day) is not null then v_card end, v_declared, v_card);
end $$;

-- Asks staff about conflicting evidence, once for each pair of countries of a person.
create function private.ask_about_country(p_user_id uuid, p_evidence jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_name text := (select display_name from private.user_profiles where user_id = p_user_id);
begin
  if (p_evidence ->> 'declared' <> p_evidence ->> 'card') is not true or p_evidence ->> 'decided' is not null then return; end if;
  insert into private.country_questions as q (user_id, declared, card) values (p_user_id, p_evidence ->> 'declared', p_evidence ->> 'card')
  on conflict (user_id) do update set declared = excluded.declared, card = excluded.card, decided = null, asked_at = excluded.asked_at
  where (q.declared, q.card) <> (excluded.declared, excluded.card);
  if not found then return; end if;
  perform private.tell_treasurers('warning', 'tax-country-differs',
    jsonb_build_object('person', v_name, 'declared', p_evidence ->> 'declared', 'card', p_evidence ->> 'card'));
end $$;

-- Records staff's answer, which applies from the next invoice on.
create function private.decide_country(p_person_id uuid, p_country text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.require_treasurer() = p_person_id then
    perform private.refuse('own_country_decided');
  end if;
  update private.country_questions set decided = p_country where user_id = p_person_id and p_country in (declared, card);
  if not found then
    perform private.refuse('country_not_in_question');
  end if;
  perform private.log_staff('country decided', p_person_id::text, jsonb_build_object('country', p_country));
end $$;
select private.publish('decide_country', 'authenticated');

revoke all on private.country_questions from public, anon, authenticated, service_role;
