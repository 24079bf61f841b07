-- Whether an owner shares as a private person or as a trader. Each owner declares it before the first plan (Directive 2011/83/EU,
-- Art. 6a): consumer law does not apply between two private people. A trader's members must be told the seller's details (Art. 6).

create table private.sellers (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  is_trader boolean not null,
  -- The imprint of a trader, in lines: the name, the address, the email address, and register and VAT number if there are any.
  name text check (char_length(name) between 1 and private.longest_address_line()),
  address text check (char_length(address) between 1 and private.longest_address_line()),
  email text check (char_length(email) between 1 and private.longest_address_line()),
  numbers text check (char_length(numbers) between 1 and private.longest_address_line()),
  declared_at timestamptz not null default private.now(),
  constraint only_traders_have_an_imprint check (case when is_trader then num_nulls(name, address, email) = 0
    else num_nonnulls(name, address, email, numbers) = 0 end)
);
alter table private.sellers enable row level security;

-- Declares how the acting user shares. Existing places keep the right to withdraw that they began with.
create function private.declare_seller(
  p_is_trader boolean, p_name text default null, p_address text default null, p_email text default null, p_numbers text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  -- Invisible and reversing characters become spaces, because they could hide text.
  v_lines text[] := array(select nullif(btrim(regexp_replace(line, '[[:cntrl:]\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+', ' ', 'g')), '')
    from unnest(array[p_name, p_address, p_email, p_numbers]) with ordinality as given (line, nth) order by nth);
begin
  perform private.refuse_tokens();
  if p_is_trader is null then
    perform private.refuse('seller_undeclared');
  elsif not p_is_trader then
    v_lines := array[null, null, null, null]::text[];
  elsif array_position(v_lines[1:3], null) is not null or v_lines[3] !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' then
    perform private.refuse('trader_details_missing');
  elsif private.name_refusal(v_lines[1]) is not null then
    perform private.refuse(private.name_refusal(v_lines[1]));
  end if;
  perform private.ensure_profile(v_user);
  insert into private.sellers (user_id, is_trader, name, address, email, numbers)
  values (v_user, p_is_trader, v_lines[1], v_lines[2], v_lines[3], v_lines[4])
  on conflict (user_id) do update set is_trader = excluded.is_trader, name = excluded.name, address = excluded.address,
    email = excluded.email, numbers = excluded.numbers, declared_at = excluded.declared_at;
end $$;
select private.publish('declare_seller', 'authenticated');

-- Refuses a person who has not declared whether they are a trader, because only people who have may share plans.
create function private.require_seller(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.sellers where user_id = p_user_id) then
    perform private.refuse('seller_undeclared');
  end if;
end $$;

-- Returns how a person shares: {isTrader, name, address, email, numbers}; null if they have not declared it. Visitors learn no
-- details of a trader.
create function private.seller_of(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_is_visitor boolean := auth.uid() is null;
begin
  return (
    select jsonb_build_object('isTrader', is_trader, 'name', case when not v_is_visitor then name end,
      'address', case when not v_is_visitor then address end, 'email', case when not v_is_visitor then email end,
      'numbers', case when not v_is_visitor then numbers end)
    from private.sellers where user_id = p_user_id);
end $$;

-- The acting user's own declaration; null if there is none.
create function private.my_seller() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.seller_of(private.require_user());
end $$;
select private.publish('my_seller', 'authenticated');

revoke all on private.sellers from public, anon, authenticated, service_role;
