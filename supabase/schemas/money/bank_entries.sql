-- Matches bank statements with direct payments. The owner's browser reads the file; the database proposes which payments the
-- entries pay, and confirms those that the owner accepts, as the button “Received” does. Only a hash of each used entry is stored,
-- so that an entry cannot confirm two payments.
create table private.used_bank_entries (
  owner_id uuid not null references private.user_profiles (user_id) on delete cascade,
  entry_hash text not null,
  used_at timestamptz not null default private.now(),
  payment_id uuid not null references public.member_payments (id) on delete cascade,
  primary key (owner_id, entry_hash)
);
create index used_bank_entries_payment_idx on private.used_bank_entries (payment_id);
alter table private.used_bank_entries enable row level security;

-- Returns the acting owner's direct payments whose reference occurs in the text, even if the bank has put spaces or line breaks
-- into the reference.
create function private.payments_named_in(p_text text) returns setof public.member_payments
language plpgsql stable security definer set search_path = '' as $$
declare v_letters text := regexp_replace(upper(p_text), '[^A-Z0-9]', '', 'g');
begin
  if v_letters ~ 'PL[0-9A-F]{8}[0-9]' then
    return query
    select m.* from public.member_payments as m
    where m.owner_id = auth.uid() and m.settlement = 'direct' and position(replace(m.reference, '-', '') in v_letters) > 0
      -- Without this check, PL-0A1B2C3D-1 would be found in PL-0A1B2C3D-12.
      and upper(p_text) ~ (regexp_replace(replace(m.reference, '-', ''), '(.)(?=.)', '\1[^A-Z0-9]*', 'g') || '(?![0-9])');
  end if;
end $$;

-- Returns the ways in which banks and people spell a name, in lower case and with the words in alphabetical order: without accents,
-- and with the letters that banks write for umlauts, so that JUERGEN MUELLER and MULLER match Jürgen Müller. Letters of every
-- script are kept. lower() alone is not enough, because it converts only ASCII letters in a database with the locale C.
create function private.name_spellings(p_name text) returns text[]
language sql immutable set search_path = '' as $$
  select array_agg(distinct (
    select coalesce(string_agg(word, ' ' order by word collate "C"), '') from regexp_split_to_table(
      normalize(regexp_replace(normalize(spelling, nfkd), '[\u0300-\u036f\u0640\u064b-\u065f\u0670]', '', 'g'), nfc),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u05be\u060c\u2010-\u206f\u3000-\u303f\u30fb]+') as word where word <> ''))
  from (
    select translate(lower(regexp_replace(normalize(left(p_name, 200), nfkc), '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g')),
      'ÄÖÜÅØÆŒŁĐÐÞẞÑÇÉΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςΆΈΉΊΌΎΏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁЄІЇҐ',
      'äöüåøæœłđðþßñçéαβγδεζηθικλμνξοπρστυφχψωσάέήίόύώабвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґ') as name
  ) as small
  cross join lateral (values (replace(replace(replace(replace(replace(name, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe')),
    (replace(name, 'ø', 'o'))) as spelled (letters)
  cross join lateral (select replace(replace(replace(replace(translate(letters, 'łđðı', 'lddi'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
    as spelling) as final
$$;

-- Returns whether two names are the same or share a word that identifies a person.
create function private.are_names_alike(p_name text, p_other text) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from unnest(private.name_spellings(p_name)) as a, unnest(private.name_spellings(p_other)) as b
    where a <> '' and a = b or exists (
      select from unnest(string_to_array(a, ' ')) as word where word = any (string_to_array(b, ' '))
        -- In Chinese, Japanese and Korean, two characters can be a whole name.
        and (length(word) > 2 or word ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}$')
        -- A word that appears with many payers (such as "rent") does not identify a payer, so it is ignored.
        and word <> all ('{and,del,della,den,der,des,dos,frau,gmbh,herr,ltd,mrs,ten,ter,the,und,van,vom,von,zum,zur}')))
$$;

-- Matches each entry with a payment. `fate` says how it matched, `params` has the values for the sentence shown:
-- pays        the entry pays this payment, found by its reference or its payer (`by`), or chosen by the owner
-- choose      the owner has to choose: several payments fit, or the payer's name differs from the member's
-- amount      the entry names a payment of a different amount
-- cancelled   the entry names a cancelled payment
-- confirmed   the entry was used before, or names a confirmed payment
-- twice       the entry names a payment that another entry pays
-- nothing     no open payment fits
-- currency, debit, pending    in a currency in which nothing is due, money out, not booked yet
-- An entry may carry the payment that the owner has chosen for it.
create function private.entry_fates(p_entries jsonb)
returns table (key text, fate text, params jsonb, payment uuid, entry_hash text)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_named public.member_payments;
  v_fit jsonb;
  v_by_name jsonb;
  v_taken uuid[] := '{}';
begin
  perform private.require_few_rows(p_entries);
  for v_entry in
    with entries as (
      select e.*, named.known is true as names_known, named.anew is true as names_payment,
        -- EUR is left out, because hashes that are stored already do not name it.
        private.hash_of(concat_ws('|', v_user, coalesce(e.ref, e.name || e.text), e.amount, e.booked, nullif(e.currency, 'EUR'))) as hash
      from rows from (jsonb_to_recordset(p_entries) as (key text, amount numeric, currency text, kind text, booked date, name text, text text,
        ref text, payment uuid)) with ordinality as e (key, amount, currency, kind, booked, name, text, ref, payment, at)
      cross join lateral (
        -- A standing order always carries the first month's reference, so an entry dated days after that month was confirmed pays a later
        -- month.
        select bool_or(true) as known, bool_or((private.is_paid(m.status) and e.booked > m.paid_at::date + 3) is not true) as anew
        from private.payments_named_in(e.text) as m
      ) as named
    )
    -- Banks may give two transfers on the same day the same reference, so equal hashes are numbered.
    select e.*, hash || '-' || row_number() over (partition by hash order by at) as own_hash from entries as e
    -- Entries whose payment is chosen or named are matched first, so that less certain ones cannot take those payments.
    order by e.payment is null, not names_payment, booked, at
  loop
    key := v_entry.key;
    params := '{}';
    payment := null;
    entry_hash := v_entry.own_hash;
    fate := case
      when v_entry.kind is not null then v_entry.kind
      when exists (select from private.used_bank_entries as u where u.owner_id = v_user and u.entry_hash = v_entry.own_hash) then 'confirmed'
      when not exists (
        select from public.member_payments as m where m.owner_id = v_user and m.settlement = 'direct' and m.currency = v_entry.currency
      ) and v_entry.currency is distinct from 'EUR' then 'currency'
    end;
    if fate is null and v_entry.names_payment then
      -- If the text names several payments, an open one with exactly this amount is preferred.
      select m.* into v_named from private.payments_named_in(v_entry.text) as m
      order by m.amount = v_entry.amount and m.currency = v_entry.currency and private.is_open_directly(m.status) and m.id <> all (v_taken) desc, m.number limit 1;
      fate := case
        when v_named.id = any (v_taken) then 'twice'
        when v_named.status = 'cancelled' then 'cancelled'
        when not private.is_open_directly(v_named.status) then 'confirmed'
        when v_named.amount is distinct from v_entry.amount or v_named.currency is distinct from v_entry.currency then 'amount'
        else 'pays'
      end;
      params := private.entry_payment(v_named) || jsonb_build_object('by', 'reference');
    elsif fate is null then
      with fitting as (
        select m.id, m.seat_id, m.due_at, m.number, private.entry_payment(m) as about,
          private.are_names_alike(v_entry.name, p.display_name) as is_theirs
        from public.member_payments as m join private.user_profiles as p on p.user_id = m.member_id
        where m.owner_id = v_user and m.settlement = 'direct' and private.is_open_directly(m.status) and m.amount = v_entry.amount
          and m.currency = v_entry.currency and m.id <> all (v_taken) and m.due_at - interval '10 days' < v_entry.booked + 1
      )
      -- Of several months of one seat, the oldest is paid first.
      select jsonb_agg(about order by due_at, number, id),
        case count(distinct seat_id) filter (where is_theirs) when 1 then (array_agg(about order by due_at, number) filter (where is_theirs))[1] end
      into v_fit, v_by_name from fitting;
      fate := case when v_fit is null then case when v_entry.names_known then 'confirmed' else 'nothing' end when v_by_name is null then 'choose' else 'pays' end;
      params := case fate when 'pays' then v_by_name || jsonb_build_object('by', 'name') when 'choose' then jsonb_build_object('of', v_fit) else '{}' end;
      if v_fit @> jsonb_build_array(jsonb_build_object('payment', v_entry.payment)) then
        fate := 'pays';
        params := (select one from jsonb_array_elements(v_fit) as one where one ->> 'payment' = v_entry.payment::text)
          || jsonb_build_object('by', 'choice');
      end if;
    end if;
    if fate = 'pays' then
      payment := (params ->> 'payment')::uuid;
      v_taken := v_taken || payment;
    end if;
    return next;
  end loop;
end $$;

-- Returns the details by which an owner recognises a payment in the list of matches.
create function private.entry_payment(p_payment public.member_payments) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('payment', p_payment.id, 'member', display_name, 'plan', p_payment.plan_name, 'amount', p_payment.amount, 'currency', p_payment.currency,
    'due', p_payment.due_at)
  from private.user_profiles where user_id = p_payment.member_id
$$;

-- Proposes which of the acting owner's payments these entries of a statement pay; changes nothing.
create function private.propose_direct_payments(p_entries jsonb) returns table (key text, fate text, params jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  return query select f.key, f.fate, f.params from private.entry_fates(p_entries) as f;
end $$;
select private.publish('propose_direct_payments', 'authenticated');

-- Confirms the payments that the owner has chosen for these entries, each as confirm_payment() does. Returns the outcome of each
-- entry: `done` on success, `confirmed` if the payment was confirmed before.
create function private.confirm_direct_payments(p_entries jsonb) returns table (key text, fate text, params jsonb)
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_payment public.member_payments;
begin
  for v_entry in
    select f.*, c.chosen from private.entry_fates(p_entries) as f
    join (select e ->> 'key' as entry, (e ->> 'payment')::uuid as chosen from jsonb_array_elements(p_entries) as e) as c on c.entry = f.key
    left join public.member_payments as m on m.id = f.payment
    -- Locks seats in the order of their ids, as all code that locks several seats does; otherwise two calls could deadlock.
    order by m.seat_id, m.number
  loop
    key := v_entry.key;
    fate := v_entry.fate;
    params := v_entry.params;
    if v_entry.fate = 'pays' and v_entry.payment = v_entry.chosen then
      v_payment := private.lock_direct_payment(v_entry.payment, true);
      if private.is_open_directly(v_payment.status) then
        insert into private.used_bank_entries (owner_id, entry_hash, payment_id) values (v_user, v_entry.entry_hash, v_payment.id) on conflict do nothing;
        fate := case when found then 'done' else 'confirmed' end;
      else
        fate := 'confirmed';
      end if;
      if fate = 'done' then
        perform private.receive_payment(v_payment, 'statement');
      end if;
    end if;
    return next;
  end loop;
end $$;
select private.publish('confirm_direct_payments', 'authenticated');

revoke all on private.used_bank_entries from public, anon, authenticated, service_role;
