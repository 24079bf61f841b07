// The owner of a database forges documents, dates, rates, steps of direct payments, payout targets, and the checks
// themselves. The command finds each, because it runs the check of its own release.
// Proves BOOKS 04
import { beforeAll, describe, expect, test } from 'vitest'
import { openForgedSite } from '../forged-site.ts'

const { db, sql, zoe, marc, foundAfter } = await openForgedSite()

const CHANGED = (kind: string) => `A row is not what was sealed: ${kind}`
const GONE = (kind: string) => `A row that was sealed is missing: ${kind}`
const UNKNOWN = (kind: string) => `A row has no record: ${kind}`
const INVOICE = '(select id from fee_invoices where corrects is null order by number limit 1)'
const LAST = '(select id from fee_invoices where corrects is null order by number desc limit 1)'
const SERIES = "regexp_replace(number, '[0-9]+$', '')"
const invoice = (changes: string) => `update fee_invoices set ${changes} where id = ${INVOICE};`
/** Swaps the values of two rows in a unique column. */
const swap = (table: string, column: string, where: string) => `
  create temp table pair on commit drop as select id, ${column} as own, row_number() over (order by id) as place
    from ${table} where ${where} order by id limit 2;
  update ${table} as t set ${column} = 'moving ' || id from (select id as of from pair) as p where t.id = p.of;
  update ${table} as t set ${column} = other.own from pair as mine, pair as other where t.id = mine.id and other.place <> mine.place;`
const DIRECT = "settlement = 'direct'"
const RECEIPT = `(select id from member_payments where settlement = 'potluck' and receipt_number is not null order by receipt_number limit 1)`
const payment = (changes: string) => `update member_payments set ${changes} where id = ${RECEIPT};`
const VAT_AT = (rate: number) =>
  `vat_rate = ${rate}, vat = gross - round(gross / (1 + ${rate}), 2), net = round(gross / (1 + ${rate}), 2)`
const EVERY_ONE = (changes: string) => `update fee_invoices set ${changes};`
/** Updates a row's sealed record to the row's current content. */
const record = (kind: string, row: string) => `set local timezone = 'UTC';
  update private.sealed_records set digest = private.record_digest(salt, private.sealed_content('${kind}', (${row})))
  where id = (select max(id) from private.sealed_records where kind = '${kind}' and subject = ((${row}) ->> 'id'));`
const THE_INVOICE = `select to_jsonb(i) from fee_invoices as i where id = ${INVOICE}`

type Forgery = [what: string, fault: string, forge: string | (() => string)]
const forgeries: Forgery[] = [
  ['the rate of a document', 'A document has another rate', EVERY_ONE(VAT_AT(0.07))],
  [
    'its rate, and the rate of its country',
    CHANGED('VAT rate'),
    `update private.vat_rates set rate = 0.07 where country = 'DE'; ${EVERY_ONE(VAT_AT(0.07))}`,
  ],
  ["a buyer's country", 'A document has another country', invoice("buyer_country = 'AT'")],
  [
    "a buyer's country with what says so and its rate",
    CHANGED('invoice'),
    EVERY_ONE(`buyer_country = 'FR', evidence = '{"declared": "FR", "card": null}', ${VAT_AT(0.2)}`),
  ],
  [
    'the category of a document',
    'A document has another category',
    EVERY_ONE("category = 'O', vat_rate = 0, vat = 0, net = gross"),
  ],
  ["a buyer's name", CHANGED('invoice'), invoice("buyer_name = 'Somebody'")],
  ['a buyer', 'A document has another buyer', () => invoice(`buyer_id = '${zoe.id}'`)],
  ['a seller', 'A document has a seller', invoice(`seller = seller || '{"name": "Another"}'`)],
  [
    'a seller, with the operator’s details too',
    CHANGED('operator'),
    `${EVERY_ONE(`seller = seller || '{"name": "Another"}'`)} update operator set name = 'Another';`,
  ],
  ['the numbers of two documents', CHANGED('invoice'), swap('fee_invoices', 'number', 'corrects is null')],
  [
    'a number of a document',
    'Numbers of invoices are missing',
    invoice("number = regexp_replace(number, '..$', '99')"),
  ],
  ['the day of a document', CHANGED('invoice'), invoice("issued_at = issued_at - interval '1 year'")],
  [
    'the day a fee was paid',
    'A document has another buyer, day',
    invoice("paid_at = paid_at - interval '1 day'"),
  ],
  [
    'the day a fee was paid, in the payment too',
    CHANGED('receipt'),
    `update fee_invoices set paid_at = paid_at - interval '1 day'; update member_payments set paid_at = paid_at - interval '1 day'`,
  ],
  ['what a document is for', CHANGED('invoice'), invoice("plan_name = 'Another', period = 7")],
  ['invoices_through', 'Invoices were made of more', 'update private.invoices_through set line = 0'],
  [
    'the last invoice removed with its number',
    GONE('invoice'),
    `update private.invoice_series set last = last - 1 where name = (select ${SERIES} from fee_invoices where id = ${LAST});
    delete from fee_invoices where id = ${LAST}`,
  ],
  [
    'an invoice of nothing',
    UNKNOWN('invoice'),
    `update private.invoice_series set last = last + 1 where name = (select ${SERIES} from fee_invoices where id = ${INVOICE});
    insert into fee_invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
      'number', s.name || lpad(s.last::text, 6, '0')))).*
      from fee_invoices as i join private.invoice_series as s on s.name = ${SERIES} where i.id = ${INVOICE}`,
  ],
  [
    'a credit note for another invoice',
    'A credit note says something else',
    `update fee_invoices set corrects = ${LAST} where corrects is not null`,
  ],
  ['the number of a receipt', CHANGED('receipt'), payment("receipt_number = '2020-000001'")],
  [
    'the numbers of two receipts',
    CHANGED('receipt'),
    swap('member_payments', 'receipt_number', "settlement = 'potluck' and receipt_number is not null"),
  ],
  ['the day of a receipt', CHANGED('receipt'), payment("paid_at = paid_at - interval '1 day'")],
  ['the names on a receipt', CHANGED('receipt'), payment("owner_name = 'Somebody', member_name = 'Else'")],
  [
    'the seller on a receipt',
    CHANGED('receipt'),
    payment("seller_name = 'Another', seller_tax_number = 'X'"),
  ],
  [
    'the number of a receipt between two people',
    CHANGED('direct payment'),
    `update member_payments set receipt_number = 'D2020-1' where ${DIRECT}`,
  ],
  [
    'what an owner owes back',
    CHANGED('direct payment'),
    `update member_payments set owed_back = 0 where ${DIRECT}`,
  ],
  [
    'a direct payment that was made',
    CHANGED('direct payment'),
    `update member_payments set status = 'due', paid_at = null where ${DIRECT}`,
  ],
  [
    'a direct payment',
    CHANGED('direct payment'),
    `update member_payments set share = share + 1 where ${DIRECT}`,
  ],
  ['a direct payment removed', GONE('direct payment'), `delete from member_payments where ${DIRECT}`],
  [
    'the figures of a tax report',
    CHANGED('tax report entry'),
    `update private.tax_report_entries set figures = '{"consideration": [0, 0, 0, 0]}'`,
  ],
  ['a tax report', CHANGED('tax report'), "update private.tax_reports set year = 2024, reference = 'DE2024'"],
  ['a person taken out of a tax report', GONE('tax report entry'), 'delete from private.tax_report_entries'],
  ['a rate of VAT', CHANGED('VAT rate'), "update private.vat_rates set rate = 0.01 where country = 'MT'"],
  [
    'a rate of VAT added',
    UNKNOWN('VAT rate'),
    "insert into private.vat_rates values ('MT', current_date, 0.01)",
  ],
  [
    'the settings of invoices',
    CHANGED('VAT settings'),
    "update vat_settings set since = since + interval '1 day'",
  ],
  [
    'the last four digits of a paid withdrawal',
    CHANGED('paid withdrawal'),
    "update withdrawal_requests set bank_account_last4 = '0000' where status = 'completed'",
  ],
  ['a bank account', CHANGED('bank account'), "update private.bank_accounts set sealed = 'v1.of.another'"],
  ['a bank account removed', GONE('bank account'), 'delete from private.bank_accounts'],
  ['a day of the books removed', GONE('day of the books'), 'delete from private.daily_books'],
  [
    'a day of the books',
    CHANGED('day of the books'),
    'update private.daily_books set held = held + 1, outside = outside - 1',
  ],
  [
    'the faults of a day',
    CHANGED('day of the books'),
    'update private.daily_books set faults = faults + 3, given_back = 0',
  ],
  [
    'the text of a movement of coins',
    'A movement of coins does not agree',
    "update coin_transactions set description = 'A gift'",
  ],
  [
    'the date of a movement of coins',
    'A movement of coins does not agree',
    "update coin_transactions set created_at = created_at - interval '1 second'",
  ],
  [
    'the account of an owner',
    CHANGED('payout account'),
    "update private.connected_accounts set reference = 'acct 2'",
  ],
  [
    'a card',
    CHANGED('payment method'),
    () => `update payment_methods set reference = 'pm 2' where user_id = '${marc.id}'`,
  ],
  [
    'whose card it is',
    CHANGED('payment method'),
    () => `update payment_methods set user_id = '${zoe.id}' where user_id = '${marc.id}'`,
  ],
  [
    'a customer',
    CHANGED('customer'),
    () => `update private.payment_customers set reference = 'cus 2' where user_id = '${marc.id}'`,
  ],
  [
    'a reversal that was not made',
    CHANGED('state of a reversal'),
    "update private.account_reversals set status = 'done', reference = 'trr 1', done_at = now() where status = 'queued'",
  ],
  [
    'where money was sent',
    CHANGED('state of a transfer'),
    "update private.account_transfers set reference = 'tr 2' where status = 'sent'",
  ],
  [
    'who money was sent to',
    CHANGED('transfer to an account'),
    () => `update private.account_transfers set user_id = '${zoe.id}'`,
  ],
  // All other triggers stay enabled, so that the change gets a sealed record.
  [
    'the last four digits of a paid withdrawal, with a record',
    'A row that never changes was sealed again: paid withdrawal',
    `set local session_replication_role = origin; alter table withdrawal_requests disable trigger decide;
    update withdrawal_requests set bank_account_last4 = '0000' where status = 'completed'`,
  ],
  [
    'an account that a withdrawal does not go to, with a record',
    'A withdrawal names another account',
    `set local session_replication_role = origin; alter table withdrawal_requests disable trigger decide;
    update withdrawal_requests set bank_account_last4 = '0000'`,
  ],
  [
    'a card, with a record',
    CHANGED('payment method'),
    "set local session_replication_role = origin; update payment_methods set reference = reference || '2'",
  ],
  [
    'a bank account, with a record',
    CHANGED('bank account'),
    "set local session_replication_role = origin; update private.bank_accounts set sealed = 'v1.of.another'",
  ],
  [
    'the days of a payment through the site, with a record',
    CHANGED('receipt'),
    `set local session_replication_role = origin; ${payment("paid_at = paid_at - interval '1 day'")}`,
  ],
  [
    'a document and its record',
    'A line is not what it was when it was sealed: invoice',
    `${invoice("buyer_name = 'Somebody'")} ${record('invoice', THE_INVOICE)}`,
  ],
  [
    'a document written again, with a record of its own',
    'A row that never changes was sealed again: invoice',
    `set local timezone = 'UTC'; ${invoice("buyer_name = 'Somebody'")}
    select private.write_record('invoice', i.id::text, private.sealed_content('invoice', to_jsonb(i))) from fee_invoices as i where id = ${INVOICE}`,
  ],
  [
    'a document and its record removed',
    'What this line is about was removed',
    `delete from private.sealed_records where kind = 'invoice' and subject = ${INVOICE}::text; delete from fee_invoices where id = ${INVOICE}`,
  ],
  [
    'a record that no seal will cover',
    'A record was passed over by the seals',
    `delete from private.ledger_seals; update private.ledger_seal_end set line = 0, hash = '', through = 0,
    records_through = (select max(id) from private.sealed_records)`,
  ],
  [
    'a record of another kind',
    'A record is of no kind there is',
    "update private.sealed_records set kind = 'nothing' where id = 1",
  ],
  [
    'salts that were deleted',
    CHANGED('receipt'),
    "update private.sealed_records set salt = null where kind = 'receipt'",
  ],
]

test.each(forgeries)('%s: %s', async (_what, fault, forge) => {
  const text = typeof forge === 'string' ? forge : forge()
  expect(await foundAfter(text)).toContainEqual(expect.stringContaining(fault))
})

/** The names of the checks, and of each function that they call. */
const HELPERS = await sql<{ name: string }>`with recursive called as (
    select p.oid, p.proname::text, coalesce(nullif(p.prosrc, ''), pg_get_function_sqlbody(p.oid)) as body
    from pg_proc as p where p.pronamespace = 'private'::regnamespace
  ), helper as (
    select * from called where proname in ('check_books', 'check_staff_log')
    union select c.* from helper as h join called as c on h.body ~ ('private\\.' || c.proname || '\\(')
  ) select oid::regprocedure::text as name from helper order by 1`

describe('what protects the books is replaced', () => {
  const FUNCTION = 'A function is not that of this release'
  const GUARD = 'A column, constraint or trigger that protects the books'
  test.each<[what: string, fault: string, forge: string]>([
    [
      'a trigger that does nothing',
      `${FUNCTION}: tg_ledger_transfers__keep()`,
      `create or replace function private.tg_ledger_transfers__keep() returns trigger language plpgsql set search_path = '' as
      'begin return null; end'`,
    ],
    [
      'a trigger of another function',
      `${GUARD} is not that of this release: private.ledger_entries: keep`,
      `drop trigger keep on private.ledger_entries; create trigger keep before truncate on private.ledger_entries
      for each statement execute function private.tg_ledger_transfers__keep()`,
    ],
    [
      'a trigger more',
      `${GUARD} is not that of this release: public.withdrawal_requests: redirect`,
      `create function pg_temp.redirect() returns trigger language plpgsql as 'begin return new; end';
      create trigger redirect before insert on withdrawal_requests for each row execute function pg_temp.redirect()`,
    ],
    [
      'a constraint that holds for everything',
      `${GUARD} is not that of this release: private.ledger_transfers: ledger_transfers_amount_check`,
      `alter table private.ledger_transfers drop constraint ledger_transfers_amount_check;
      alter table private.ledger_transfers add constraint ledger_transfers_amount_check check (amount <> 0)`,
    ],
    [
      'a column that says something else',
      `${GUARD} is not that of this release: public.member_payments.amount`,
      'alter table member_payments alter column amount drop expression',
    ],
    [
      'a function removed',
      'A function of this release is missing: payout_delay()',
      'drop function private.payout_delay()',
    ],
    [
      'the price of the fee',
      `${FUNCTION}: place_price(p_settlement text, p_share numeric, p_fee_rate numeric)`,
      `create or replace function private.place_price(p_settlement text, p_share numeric, p_fee_rate numeric) returns numeric
      language sql immutable return round(p_share * (1.01 + p_fee_rate), 2)`,
    ],
    [
      'a function, and one of Postgres that would have hidden it',
      `${FUNCTION}: payout_delay()`,
      `create or replace function private.payout_delay() returns interval language sql immutable return interval '0';
      create function public.replace(text, text, text) returns text language sql return 'the same';
      set local search_path = public, pg_catalog`,
    ],
    [
      'a function beside the one that is called',
      `${FUNCTION}: is_movement(p_kind character varying, p_from text, p_to text)`,
      `create function private.is_movement(p_kind varchar, p_from text, p_to text) returns boolean language sql return true`,
    ],
  ])('%s: %s', async (_what, fault, forge) => {
    expect(await foundAfter(forge)).toContainEqual(fault)
  })

  const DAMAGE = `${invoice("buyer_name = 'Somebody'")}
    update private.ledger_transfers set description = 'Nothing' where id = (select min(id) from private.ledger_transfers);
    update coin_transactions set description = 'A gift'; update private.charges set received = received - 1 where received > 1;
    update private.account_reversals set status = 'done' where status = 'queued'`
  /** Makes the function report nothing: no row, or null. */
  const silence = (name: string) => `do $$ declare f pg_proc; begin
    select * into f from pg_proc where oid = '${name}'::regprocedure;
    execute format('create or replace function private.%I(%s) returns %s language plpgsql as %L', f.proname,
      pg_get_function_arguments(f.oid), pg_get_function_result(f.oid), case when f.proretset or f.proargmodes is not null
      then 'begin return; end' else 'begin return null; end' end);
  end $$;`
  let found: string[] = []
  beforeAll(async () => {
    found = await foundAfter(DAMAGE)
  })
  test('of which there are many', () => {
    expect(HELPERS.length).toBeGreaterThan(30)
    expect(found.length).toBeGreaterThan(4)
  })
  test.each(HELPERS)('$name says nothing, and the command finds the same', async ({ name }) => {
    const signature = expect.stringContaining(`${FUNCTION}: ${name.replace(/^private\.|\(.*/g, '')}(`)
    const without = await foundAfter(`${DAMAGE}; ${silence(name)}`)
    expect(without).toContainEqual(signature)
    expect(without).toEqual(expect.arrayContaining(found))
  })
})

test('a deleted card or bank account takes its salts along, and leaves the chain whole', async () => {
  const { id } = (
    await sql<{ id: string }>`select id from payment_methods where user_id = ${marc.id}`
  )[0] ?? { id: '' }
  await sql`select private.seal_transfers()`
  await marc.sql`select remove_card(${id})`
  await sql`delete from private.bank_accounts where true`
  await sql`select private.seal_transfers()`
  expect(
    await sql`select count(*)::int as salts from private.sealed_records
    where salt is not null and (subject = ${id} or kind = 'bank account')`,
  ).toEqual([{ salts: 0 }])
  expect(await foundAfter('')).toEqual([])
  expect(
    await foundAfter(
      `update private.sealed_records set digest = 'f00' where subject = '${id}' and digest is not null`,
    ),
  ).toContainEqual(expect.stringContaining('A line is not what it was when it was sealed: payment method'))
})

test('a record is never rewritten, only its salt deleted', async () => {
  for (const text of [
    "update private.sealed_records set digest = ''",
    'update private.sealed_records set salt = gen_random_uuid()',
    'delete from private.sealed_records',
    'truncate private.sealed_records cascade',
  ])
    await expect(db.query(text)).rejects.toThrow('The ledger is never rewritten')
})
