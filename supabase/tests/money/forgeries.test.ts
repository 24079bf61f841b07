// The owner of the database can write anything into it. The check of the books finds their forgeries, however well they
// are covered: every forgery here puts balances, entries, wallets and coins right again, with all triggers disabled.
// Proves BOOKS 04
import { expect, test } from 'vitest'
import { openForgedSite, reseal } from '../forged-site.ts'

const { sql, till, zoe, foundAfter } = await openForgedSite()

/** The newest transfer of a kind. */
const newest = (kind: string, sealed = true) =>
  `(select max(id) from private.ledger_transfers as t where kind = '${kind}'
    and ${sealed ? '' : 'not'} exists (select from private.ledger_seals where transfer_id = t.id))`
const change = (kind: string, changes: string, sealed = true) =>
  `update private.ledger_transfers set ${changes} where id = ${newest(kind, sealed)};`
const remove = (transfer: string) => `create temp table gone on commit drop as select ${transfer} as id;
  delete from private.ledger_entries using gone where transfer_id = gone.id;
  delete from private.ledger_transfers using gone where ledger_transfers.id = gone.id;`
const wallet = () => `(select id from private.ledger_accounts where kind = 'wallet' and owner = '${zoe.id}')`
/** Redirects another person's money to Zoe's wallet. */
const redirect = (sealed: boolean) => `
  update private.ledger_entries set account_id = ${wallet()}, version = 1000 where amount > 0 and transfer_id = ${newest('earning', sealed)};
  ${change('earning', `to_account = ${wallet()}, person_id = '${zoe.id}'`, sealed)}`
const cheapen = (kind: string, sealed: boolean) => `
  update private.ledger_entries set amount = sign(amount) * 0.01, balance_after = balance_before + sign(amount) * 0.01
  where transfer_id = ${newest(kind, sealed)}; ${change(kind, 'amount = 0.01', sealed)}`
const payment = (of: string, changes: string) =>
  `update member_payments set ${changes} where id = (select id from member_payments where ${of} order by number, id limit 1);`
const PAID = "status = 'paid' and settlement = 'potluck'"
const bySeal = (changes: string) => change('refund', changes)
const CUT = `delete from private.ledger_seals where transfer_id not in (select id from private.ledger_transfers);
  update private.ledger_seal_end set (line, hash) = (select line, hash from private.ledger_seals order by line desc limit 1);`
/** Covers a forgery: makes entries continue each other, and accounts, wallets and coins agree with the entries. */
const COVER = `
  create temp table entries on commit drop as select transfer_id, account_id, amount, created_at,
    row_number() over one as version, sum(amount) over one as total
    from private.ledger_entries window one as (partition by account_id order by version);
  delete from private.ledger_entries;
  insert into private.ledger_entries select account_id, version, transfer_id, amount, total - amount, total, created_at from entries;
  update private.ledger_accounts as a set balance = coalesce((select sum(amount) from entries where account_id = a.id), 0),
    version = (select count(*) from entries where account_id = a.id);
  delete from coin_transactions;
  insert into coin_transactions (user_id, transaction_type, amount, description, created_at, created_by)
    select a.owner, private.coin_type(t.kind, e.amount > 0), abs(e.amount), t.description, e.created_at, t.created_by
    from entries as e join private.ledger_accounts as a on a.id = e.account_id and a.kind = 'wallet'
    join private.ledger_transfers as t on t.id = e.transfer_id;
  update user_wallets as w set coin_balance = (select balance from private.ledger_accounts where kind = 'wallet' and owner = w.user_id),
    total_earned = (select coalesce(sum(amount), 0) from coin_transactions where user_id = w.user_id and transaction_type = 'earned'),
    total_withdrawn = (select coalesce(-sum(e.amount), 0) from entries as e join private.ledger_accounts as a on a.id = e.account_id
      join private.ledger_transfers as t on t.id = e.transfer_id
      where a.kind = 'wallet' and a.owner = w.user_id and t.kind like 'withdrawal%');`

const SEAL = 'not what it was when it was sealed'
const SAYS = 'A transfer is not what its kind, its key and its payment say'
const AGREE = 'A payment does not agree with the ledger: '
const LOG = 'An adjustment does not agree with the log of staff'
const MISSING = 'that protects the books is missing'
const OFF = 'that protects the books is switched off'
const WALLET = 'A wallet does not agree with the ledger: '

/** The forgery, the fault that the check finds, the SQL, and whether the owner then covers the forgery. */
type Forgery = [what: string, fault: string, forge: string | (() => string), covered?: 'covered']
const forgeries: Forgery[] = [
  ['the newest transfer removed', `${AGREE}earned by the`, () => remove(newest('earning', false)), 'covered'],
  [
    'the newest sealed transfer removed',
    'What this line is about was removed',
    () => remove(newest('withdrawal-returned')),
    'covered',
  ],
  [
    'it and its seal removed',
    'A returned withdrawal',
    () => `${remove(newest('withdrawal-returned'))} ${CUT}`,
    'covered',
  ],
  ['an adjustment removed', LOG, () => remove(newest('adjustment', false)), 'covered'],
  [
    'the amount of the newest transfer changed',
    `${AGREE}earned by the`,
    cheapen('earning', false),
    'covered',
  ],
  ['the amount of a sealed transfer changed', SEAL, cheapen('fee', true), 'covered'],
  ['an earning sent to another wallet', SEAL, () => redirect(true), 'covered'],
  ['the newest earning sent to another wallet', SAYS, () => redirect(false), 'covered'],
  [
    'an account given to somebody else',
    SAYS,
    () => `update private.ledger_accounts set owner = gen_random_uuid() where id = ${wallet()}`,
  ],
  [
    'coins made of nothing',
    SAYS,
    () => `select private.transfer('a gift', private.ledger_account('outside'), ${wallet()}, 9, 'earning')`,
  ],
  [
    'a wallet adjusted by nobody',
    LOG,
    () =>
      `select private.transfer('adjustment:1', private.ledger_account('adjustments'), ${wallet()}, 9, 'adjustment')`,
  ],
  ['a kind rewritten', SEAL, bySeal("kind = 'payment-returned'")],
  ['the kind of the newest rewritten', SAYS, change('earning', "kind = 'adjustment'", false), 'covered'],
  ['a person rewritten', SEAL, () => bySeal(`person_id = '${zoe.id}'`)],
  ['the person of the newest rewritten', SAYS, () => change('fee', `person_id = '${zoe.id}'`, false)],
  ['a plan rewritten', SEAL, bySeal("subscription_id = 'sub-0'")],
  ['the plan of the newest rewritten', SAYS, change('fee', "subscription_id = 'sub-0'", false)],
  ['a period rewritten', SEAL, bySeal('payment_id = gen_random_uuid()')],
  [
    'the period of the newest rewritten',
    'for a payment that is missing',
    change('fee', 'payment_id = gen_random_uuid()', false),
  ],
  ['a seat rewritten', SEAL, bySeal('seat_id = gen_random_uuid()')],
  ['a key rewritten', SEAL, bySeal("key = key || '0'")],
  ['the key of the newest rewritten', SAYS, change('fee', "key = 'fee:' || gen_random_uuid()", false)],
  [
    'a date rewritten',
    SEAL,
    `${bySeal("created_at = created_at - interval '1 day'")}
    update private.ledger_entries as e set created_at = t.created_at from private.ledger_transfers as t where t.id = e.transfer_id;`,
    'covered',
  ],
  [
    'the date of the newest rewritten',
    'another time',
    change('fee', "created_at = created_at - interval '1 day'", false),
  ],
  ['a reason rewritten', SEAL, change('adjustment', "description = 'Nothing'")],
  ['the name of who adjusted rewritten', LOG, change('adjustment', 'created_by = null', false)],
  ['a payment cancelled', `${AGREE}paid by card`, payment(`${PAID} and card > 0`, "status = 'cancelled'")],
  [
    'a payment cancelled and emptied',
    `${AGREE}held of the share`,
    payment(PAID, "status = 'cancelled', card = 0, coins = 0"),
  ],
  [
    'a payment by card made one in coins',
    `${AGREE}paid in coins`,
    payment(`${PAID} and card > 0`, 'coins = coins + 1, card = card - 1'),
  ],
  [
    'a payment made cheaper',
    'does not agree with its status, closed',
    payment("status = 'closed'", 'share = share - 0.1, earned_share = earned_share - 0.1'),
  ],
  ['earnings made more', `${AGREE}earned by the owner`, payment(PAID, 'earned_share = earned_share + 0.1')],
  ['money said to be given back', `${AGREE}returned`, payment(PAID, 'returned_share = returned_share + 0.1')],
  ['a refund of a payment undone', `${AGREE}returned`, payment('returned_fee > 0', 'returned_fee = 0')],
  [
    'a payment given to another owner',
    'A payment is not of its place',
    () => payment(PAID, `owner_id = '${zoe.id}'`),
  ],
  ['a payment removed', 'for a payment that is missing', 'delete from member_payments where card > 0'],
  [
    'a refund made less',
    `${AGREE}its refunds`,
    "update private.refunds set amount = 0.01 where status = 'succeeded'",
  ],
  [
    'a refund failed',
    `${AGREE}its failed refunds`,
    "update private.refunds set status = 'failed' where status = 'succeeded'",
  ],
  [
    'a failed refund sent',
    'A refund does not agree with its status',
    "update private.refunds set status = 'succeeded' where status = 'failed'",
  ],
  ['a refund removed', `${AGREE}its refunds`, 'delete from private.refunds'],
  [
    'a charge made less',
    `${AGREE}received by its charge`,
    'update private.charges set received = received - 1 where received > 1',
  ],
  [
    'a charge failed',
    'A charge does not agree with its status',
    "update private.charges set status = 'failed' where received > 0",
  ],
  [
    'a charge of another payment',
    SAYS,
    "update private.charges set intent = 'pi of another' where payment_id = (select payment_id from private.charges where received > 0 limit 1)",
  ],
  ['a charge removed', `${AGREE}received by its charge`, 'delete from private.charges'],
  [
    'a dispute made less',
    `${AGREE}taken by disputes`,
    'update payment_disputes set from_coins = 0, from_share = 0, from_guarantee = 0',
  ],
  ['the fee of a dispute made less', `${AGREE}the provider's fees`, 'update payment_disputes set cost = 0'],
  [
    'a withdrawal made less',
    'A withdrawal does not agree',
    "update withdrawal_requests set amount = amount + 1 where status = 'completed'",
  ],
  [
    'a withdrawal undone',
    'A withdrawal does not agree',
    "update withdrawal_requests set status = 'rejected' where status = 'completed'",
  ],
  [
    'a withdrawal by somebody else',
    'A withdrawal does not agree',
    () => `update withdrawal_requests set user_id = '${zoe.id}'`,
  ],
  [
    'a returned withdrawal kept',
    'A returned withdrawal',
    'update withdrawal_requests set returned_at = null, return_reason = null',
  ],
  ['a total made more', `${WALLET}earned in all`, 'update user_wallets set total_earned = total_earned + 1'],
  [
    'another total made more',
    `${WALLET}withdrawn in all`,
    'update user_wallets set total_withdrawn = total_withdrawn + 1',
  ],
  [
    'a coin movement of another type',
    `${WALLET}movements earned`,
    "update coin_transactions set transaction_type = 'refunded' where transaction_type = 'earned'",
  ],
  [
    'a wallet removed',
    'A wallet does not equal the ledger',
    () => `delete from user_wallets where user_id = '${zoe.id}'`,
  ],
  [
    'an invoice removed',
    'Numbers of invoices are missing',
    'delete from fee_invoices where corrects is not null',
  ],
  [
    'an invoice made cheaper',
    'Invoices do not agree with the ledger: charged',
    'update fee_invoices set gross = gross - 0.01, net = net - 0.01 where corrects is null',
  ],
  ['a trigger dropped', MISSING, 'drop trigger keep on private.ledger_entries'],
  ['a trigger switched off', OFF, 'alter table private.ledger_transfers disable trigger log_staff'],
  ['a foreign key switched off', OFF, 'alter table private.refunds disable trigger all'],
  [
    'a constraint dropped',
    MISSING,
    'alter table private.ledger_accounts drop constraint only_some_accounts_fall_below_zero',
  ],
  [
    'a constraint not proven',
    OFF,
    `alter table user_wallets drop constraint user_wallets_coin_balance_check;
    alter table user_wallets add constraint user_wallets_coin_balance_check check (coin_balance >= 0) not valid`,
  ],
  ['a seal removed', 'A line before this one is missing', 'delete from private.ledger_seals where line = 2'],
  ['the last seals removed', 'does not reach its end', 'delete from private.ledger_seals where line > 3'],
  [
    'all seals removed',
    'The hash mailed for this day',
    "delete from private.ledger_seals; update private.ledger_seal_end set line = 0, hash = '', through = 0, records_through = 0",
  ],
  ['the end of the seals removed', 'The chain has no end', 'delete from private.ledger_seal_end'],
  [
    'a transfer that no seal will cover',
    'passed over',
    'delete from private.ledger_seals; update private.ledger_seal_end set line = 0, hash = $$$$, through = (select max(id) from private.ledger_transfers)',
  ],
  [
    'a reason rewritten and all sealed again',
    'The hash mailed for this day',
    `${bySeal("description = 'Nothing'")} ${reseal('without its days')}`,
  ],
]

test('books in which money has moved in all ways have no fault, sealed and not', async () => {
  expect(await till.books()).toEqual([])
  expect(
    await sql`select distinct kind from private.ledger_transfers order by kind`.then((rows) =>
      rows.map(({ kind }) => kind),
    ),
  ).toEqual([
    'adjustment',
    'chargeback',
    'chargeback-won',
    'cost',
    'earning',
    'fee',
    'payment',
    'refund',
    'refund-failed',
    'refund-sent',
    'withdrawal',
    'withdrawal-returned',
  ])
  expect(await foundAfter(COVER)).toEqual([])
  expect(await foundAfter('select private.seal_transfers(); select private.seal_transfers()')).toEqual([])
})

test.each(forgeries)('%s: %s', async (_what, fault, forge, covered) => {
  const text = typeof forge === 'string' ? forge : forge()
  expect(await foundAfter(covered ? `${text}; ${COVER}` : text)).toContainEqual(
    expect.stringContaining(fault),
  )
})

test('even all sealed again, also in the books of the days, is found by the hash that was mailed', async () => {
  const [mailed] = await sql<{ hash: string }>`select seal_hash as hash from private.daily_books`
  const rewritten = `${bySeal("description = 'Nothing'")} ${reseal('with its days')}`
  expect(await foundAfter(rewritten)).toEqual([])
  expect(await foundAfter(rewritten, mailed?.hash ?? '')).toEqual([
    expect.stringContaining('The hash from the mail is that of no line'),
  ])
  expect(await foundAfter('', ` ${mailed?.hash.toUpperCase()} `)).toEqual([])
})

test('the list of what protects the books is complete', async () => {
  expect(
    await sql`with tables as (select distinct to_regclass(relation) as id from private.book_guards()),
      there as (
        select tgrelid as id, tgname as name from pg_trigger where tgrelid in (select id from tables) and not tgisinternal
        union select conrelid, conname from pg_constraint where conrelid in (select id from tables) and contype <> 'n'
      )
      select t.id::regclass as relation, t.name from there as t
      where (t.id, t.name) not in (select to_regclass(relation), guard from private.book_guards())`,
  ).toEqual([])
})
