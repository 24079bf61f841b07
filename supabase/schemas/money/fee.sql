-- The site's fee and the smallest amounts, in EUR.

-- The convenience fee on top of a member's share: the default until staff decide otherwise, the maximum, and the step size.
create function private.first_fee_rate() returns numeric
language sql immutable return 0.1;
grant execute on function private.first_fee_rate() to authenticated, service_role;
create function private.most_fee_rate() returns numeric
language sql immutable return 0.2;
create function private.fee_rate_step() returns numeric
language sql immutable return 0.005;

-- The price of a place for its member: the share, plus the fee if it is paid through the site, rounded to the cent. Same as
-- placePrice() of functions/_shared.
create function private.place_price(p_settlement text, p_share numeric, p_fee_rate numeric) returns numeric
language sql immutable return round(p_share * case p_settlement when 'potluck' then 1 + p_fee_rate else 1 end, 2);

-- The smallest charge to a card.
create function private.least_card_charge() returns numeric
language sql immutable return 0.50;

-- The lowest monthly price of a place that is paid through the site: twice the smallest charge to a card.
create function private.least_sum() returns numeric
language sql immutable return 1.00;
