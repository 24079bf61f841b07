-- Chains of hashes: each line has a hash of its content and of the line before, so that changing or removing a line breaks the chain;
-- the last hash of each day is mailed, so that rewriting the whole chain shows too. There are two chains: `books`, the seals of everything
-- about money (money/seals.sql), and `staff`, the log of staff (staff/staff_log.sql). Both are hashed and checked here.

-- Returns the hash of a line. New versions must not change its input.
create function private.chain_hash(p_before text, p_line bigint, p_content jsonb) returns text
language sql stable return encode(sha256(convert_to((jsonb_build_array(p_before, p_line) || p_content)::text, 'UTF8')), 'hex');

-- Returns the lines of a chain. `content` is null if the row that the line seals is gone; `before` is null if the line does not
-- store it.
create function private.chain_lines(p_chain text)
returns table (line bigint, before text, hash text, content jsonb, subject text)
language sql stable security definer set search_path = '' as $$
  select s.line, null, s.hash, private.sealed_content_of(s, t, r, e.entries), private.seal_subject(s, t, r)
  from private.ledger_seals as s left join private.ledger_transfers as t on t.id = s.transfer_id
  left join private.sealed_records as r on r.id = s.record_id
  left join (
    select transfer_id, jsonb_agg(private.entry_text(x) order by x.account_id) as entries from private.ledger_entries as x group by transfer_id
  ) as e on e.transfer_id = s.transfer_id
  where p_chain = 'books'
  union all
  select l.line, l.previous_hash, l.hash, private.staff_log_content(l), 'line ' || l.line from private.staff_log as l where p_chain = 'staff'
$$;

-- chain_end() returns the last line of a chain; chain_days() the last lines that were mailed, by day.
create function private.chain_end(p_chain text) returns table (line bigint, hash text)
language sql stable security definer set search_path = '' as $$
  select e.line, e.hash from private.ledger_seal_end as e where p_chain = 'books'
  union all select e.line, e.hash from private.staff_log_end as e where p_chain = 'staff'
$$;
create function private.chain_days(p_chain text) returns table (day date, line bigint, hash text)
language sql stable security definer set search_path = '' as $$
  select d.day, d.seal, d.seal_hash from private.daily_books as d where p_chain = 'books' and d.seal > 0
  union all select d.day, d.line, d.hash from private.staff_log_days as d where p_chain = 'staff'
$$;

-- Lists faults in a chain; returns no rows if there are none. p_hash is a hash from the daily mail; if no line has this hash, the
-- chain was rewritten.
create function private.check_chain(p_chain text, p_hash text default null) returns table (line bigint, fault text, subject text)
language sql stable security definer set search_path = '' as $$
  with lines as materialized (
    select l.*, lag(l.line, 1, 0::bigint) over numbered + 1 as next, lag(l.hash, 1, '') over numbered as hash_before
    from private.chain_lines(p_chain) as l window numbered as (order by l.line)
  )
  select l.line, case when l.content is null then 'What this line is about was removed' else 'A line is not what it was when it was sealed' end,
    l.subject
  from lines as l where l.hash is distinct from private.chain_hash(coalesce(l.before, l.hash_before), l.line, l.content)
  union all
  select l.line, 'A line before this one is missing or another one', l.subject from lines as l
  where l.line <> l.next or l.before <> l.hash_before
  union all
  select e.line, 'The chain does not reach its end, or goes on after it', 'line ' || e.line from private.chain_end(p_chain) as e
  left join (select l.line, l.hash from lines as l order by l.line desc limit 1) as last on true
  where (e.line, e.hash) is distinct from (coalesce(last.line, 0), coalesce(last.hash, ''))
  union all
  select null, 'The chain has no end', p_chain where not exists (select from private.chain_end(p_chain))
  union all
  select d.line, 'The hash mailed for this day is no longer that of its line', d.day::text from private.chain_days(p_chain) as d
  where not exists (select from lines as l where (l.line, l.hash) = (d.line, d.hash))
  union all
  select null, 'The hash from the mail is that of no line', p_hash
  where p_hash is not null and not exists (select from lines as l where l.hash = lower(btrim(p_hash)))
$$;
