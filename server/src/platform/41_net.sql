-- pg_net's `net.http_post`, the only one of its functions that the project calls, for databases without the extension; src/net/ sends
-- requests after the commit. If the extension is installed, it provides the function and sends the requests, and this script does nothing.
do $platform$ begin
if exists (select from pg_extension where extname = 'pg_net') then return; end if;
execute $net$

create schema if not exists net;

-- As in pg_net, the rows of both tables are lost in a crash. The numbers come from a logged sequence: the sequence of an identity
-- column of an unlogged table is unlogged too, and on a promoted standby it can be a page of zeros, on which `nextval` fails for
-- good.
create sequence if not exists net.http_request_ids;
create unlogged table if not exists net.http_request_queue (
  id bigint primary key default nextval('net.http_request_ids'),
  method text not null,
  url text not null,
  headers jsonb,
  body text,
  timeout_milliseconds integer not null check (timeout_milliseconds between 1 and 600000)
);
create unlogged table if not exists net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index if not exists _http_response_created_idx on net._http_response (created);
-- Converts databases of earlier versions, even if their sequence can no longer be read.
do $$ begin
  if (select attidentity <> '' from pg_attribute where attrelid = 'net.http_request_queue'::regclass and attname = 'id') then
    alter table net.http_request_queue alter column id drop identity;
    alter table net.http_request_queue alter column id set default nextval('net.http_request_ids');
    perform setval('net.http_request_ids', greatest(
      (select max(id) from net.http_request_queue), (select max(id) from net._http_response), 0
    ) + 1, false);
  end if;
end $$;

create or replace function net.urlencode(p_text text) returns text
language sql immutable strict set search_path = '' as $$
  select coalesce(string_agg(
    case when c ~ '^[A-Za-z0-9_.~-]$' then c
      else upper(regexp_replace(encode(convert_to(c, 'UTF8'), 'hex'), '(..)', '%\1', 'g')) end, '' order by n
  ), '') from string_to_table(p_text, null) with ordinality as t (c, n)
$$;

-- Queues a request, which is sent once the transaction has committed.
create or replace function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
) returns bigint language plpgsql set search_path = '' as $$
declare
  v_type constant text := (select value from jsonb_each_text(headers) where lower(key) = 'content-type');
  v_query constant text := (select string_agg(net.urlencode(key) || '=' || net.urlencode(value), '&') from jsonb_each_text(params));
  v_id bigint;
begin
  if v_type <> 'application/json' then
    raise exception 'Content-Type header must be "application/json"' using errcode = 'invalid_parameter_value';
  end if;
  if (url ~* '^https?://') is not true then
    raise exception 'net: % is no http or https address', coalesce(url, 'null') using errcode = 'invalid_parameter_value';
  end if;
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    'POST', http_post.url || coalesce(case when strpos(http_post.url, '?') > 0 then '&' else '?' end || v_query, ''),
    case when v_type is null then coalesce(http_post.headers, '{}') || '{"Content-Type": "application/json"}' else http_post.headers end,
    http_post.body::text, http_post.timeout_milliseconds
  ) returning id into v_id;
  notify http_requests;
  return v_id;
end $$;

revoke execute on all functions in schema net from public;
grant usage on schema net to project_owner;
grant execute on all functions in schema net to project_owner;
grant usage on sequence net.http_request_ids to project_owner;
grant select, insert, delete on net.http_request_queue, net._http_response to project_owner;

$net$;
end $platform$;
