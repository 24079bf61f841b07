-- Currencies and amounts in words. The digits are those of ISO 4217; browsers differ from it for some currencies, such as HUF and COP, so
-- this list decides. Currencies with three digits are left out, since amounts are stored with two.

-- The currencies without decimals, and those with two.
create function private.whole_currencies() returns text[]
language sql immutable return '{BIF,CLP,DJF,GNF,ISK,JPY,KMF,KRW,PYG,RWF,UGX,VND,VUV,XAF,XOF,XPF}'::text[];
create function private.cent_currencies() returns text[]
language sql immutable return '{AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BMD,BND,BOB,BRL,BSD,BTN,BWP,BYN,BZD,CAD,CDF,CHF,CNY,COP,CRC,CUP,CVE,CZK,DKK,DOP,DZD,EGP,ERN,ETB,EUR,FJD,FKP,GBP,GEL,GHS,GIP,GMD,GTQ,GYD,HKD,HNL,HTG,HUF,IDR,ILS,INR,IRR,JMD,KES,KGS,KHR,KPW,KYD,KZT,LAK,LBP,LKR,LRD,LSL,MAD,MDL,MGA,MKD,MMK,MNT,MOP,MRU,MUR,MVR,MWK,MXN,MYR,MZN,NAD,NGN,NIO,NOK,NPR,NZD,PAB,PEN,PGK,PHP,PKR,PLN,QAR,RON,RSD,RUB,SAR,SBD,SCR,SDG,SEK,SGD,SHP,SLE,SOS,SRD,SSP,STN,SVC,SYP,SZL,THB,TJS,TMT,TOP,TRY,TTD,TWD,TZS,UAH,USD,UYU,UZS,VES,WST,XCD,XCG,YER,ZAR,ZMW,ZWG}'::text[];

-- Returns the number of decimals of a currency: 0 or 2; null for an unknown one.
create function private.currency_digits(p_currency text) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_currency = any (private.whole_currencies()) then 0 when p_currency = any (private.cent_currencies()) then 2 end;
end $$;
grant execute on function private.whole_currencies(), private.cent_currencies(), private.currency_digits(text) to authenticated, service_role;

-- Returns an amount in English, such as €3.50 or GBP 3.50.
create function private.money(p_amount numeric, p_currency text default 'EUR') returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case p_currency when 'EUR' then '€' else p_currency || U&'\00A0' end || round(p_amount, private.currency_digits(p_currency));
end $$;
