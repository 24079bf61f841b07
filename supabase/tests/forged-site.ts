// A site with every kind of movement of money, and the faults that the check of the books finds after the database's
// owner has forged something.
import type { Transaction } from '@potluck/server/db/database.ts'
import { faultsInBooks, installRelease } from '../admin/release.ts'
import { addBankAccount } from './bank-accounts.ts'
import { moveCoins } from './coins.ts'
import { switchInvoicesOn } from './invoices.ts'
import { addPeople, addStaff, ownDatabase, type Person, statements } from './people.ts'
import { join, sharePlan } from './plans.ts'
import { openTill } from './till.ts'

/** Half of the movements are sealed and mailed; the newest ones are not yet sealed. */
export async function openForgedSite() {
  const { db, sql } = await ownDatabase({ sheltered: true })
  const till = await openTill(db)
  const [olivia, marc, nina, pavel] = [
    await till.payer('Olivia'),
    await till.payer('Marc'),
    await till.payer('Nina'),
    await till.payer('Pavel'),
  ]
  const staff = (name: string) => addStaff(db, name, 'admin')
  const [admin, other, another] = [await staff('Ada'), await staff('Anton'), await staff('Aron')]
  const [zoe] = await addPeople(db, ['Zoe'])
  await moveCoins(db, marc, 'earned', 4)
  await moveCoins(db, zoe, 'earned', 1)
  const plan = await till.share(olivia)
  await switchInvoicesOn(statements(db))
  await till.enter(marc, plan, { coinsFirst: true })
  await till.enter(nina, plan)
  await till.enter(pavel, plan)
  await till.work()
  for (const _week of [1, 2]) await till.pass('8 days')
  // Nina is removed: one refund reaches her card, and her bank refuses another.
  const refund = async (status: string) => {
    const [{ id } = { id: '' }] = await sql<{
      id: string
    }>`select id from private.refunds where status = 'queued'`
    await sql`select record_refund(${id}, ${`re ${id}`}, ${status}, null)`
  }
  const remove = (person: Person) =>
    olivia.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${person.id}`
  await remove(nina)
  await refund('succeeded')
  await till.enter(nina, plan)
  await till.work()
  await remove(nina)
  await refund('failed')
  // Pavel's bank takes his payment back, and loses the dispute.
  const [charge] = await sql<{ intent: string }>`select intent from private.charges as c
    join member_payments as m on m.id = c.payment_id where m.member_id = ${pavel.id} order by m.number limit 1`
  for (const status of ['needs_response', 'won'])
    await sql`select record_dispute('dp 1', ${charge?.intent}, 5.5, ${status}, 'fraudulent', null, '{"txn 1": 20, "txn 2": -5}')`
  // Olivia has two payouts, of which one comes back; and Ada corrects a wallet.
  await admin.sql`select adjust_wallet(${olivia.id}, 60, 'A welcome')`
  await addBankAccount(db, olivia)
  await sql`update private.clock set ahead = ahead + interval '40 days'`
  for (const _one of [1, 2]) {
    const { id } = await olivia.insert('withdrawal_requests', { amount: '20' })
    await another.sql`update withdrawal_requests set status = 'processing' where id = ${id}`
    await other.sql`update withdrawal_requests set status = 'completed' where id = ${id}`
    if (_one === 2) await another.sql`select return_withdrawal(${id}, 'No such account')`
  }
  // Marc pays Zoe directly, and Zoe owes him a part of the payment.
  await zoe.insert('payment_wishes', { kind: 'text', note: 'Cash at dinner' })
  await join(db, marc, await sharePlan(db, zoe, { places: 2 }))
  const [direct] = await sql<{ id: string }>`select id from member_payments where settlement = 'direct'`
  await marc.sql`select say_paid(${direct?.id})`
  await zoe.sql`select confirm_payment(${direct?.id})`
  await sql`select private.record_debt(s, m, 0.5) from member_payments as m join private.seats as s on s.id = m.seat_id
    where m.id = ${direct?.id}`
  // Olivia opens an account of her own, and a bank takes back money that had been sent there.
  const connect = (on: boolean) => sql`select report_payment_provider('simulated', 'test', null, ${on})`
  await connect(true)
  await sql`select register_account(${olivia.id}, 'acct 1')`
  await sql`select record_account('acct 1', true, true, '{}', null)`
  await till.pass('8 days')
  const [sent] = await sql<{
    id: string
    intent: string
  }>`select t.id, c.intent from private.account_transfers as t
    join private.charges as c on c.payment_id = t.payment_id where c.intent <> ${charge?.intent}`
  await sql`select record_account_transfer(${sent?.id}, 'tr 1', null)`
  await sql`select record_dispute('dp 2', ${sent?.intent}, 20, 'needs_response', 'fraudulent', null, '{}')`
  await connect(false)
  // The tax office has a report of Olivia's earnings.
  await sql`insert into private.tax_reports (year, kind, reference, operator, operator_document, operator_way, created_by)
    values (2025, 'new', 'DE2025', '{"name": "Potluck"}', 'DE2025-1', 'new', ${admin.id})`
  await sql`insert into private.tax_report_entries (report_id, user_id, document, figures)
    select id, ${olivia.id}, 'DE2025-2', '{"consideration": [1, 2, 3, 4]}' from private.tax_reports`
  await sql`select private.close_day()`
  await sql`select private.make_invoices()`
  await till.enter(pavel, plan)
  await till.work()
  await sql`update private.clock set ahead = ahead + interval '8 days'`
  await admin.sql`select adjust_wallet(${nina.id}, -1, 'Counted twice')`
  await sql`select private.run_due_work()`

  // The release's checks are installed only once here, because that takes a while; the command installs them each time.
  const release = await db.transaction(installRelease)
  /**
   * Returns the faults that are found after this forgery, which is made with all triggers disabled and then rolled
   * back.
   */
  async function foundAfter(forge: string, hash?: string): Promise<string[]> {
    const work = async (tx: Transaction): Promise<never> => {
      await tx.script(
        `set local session_replication_role = replica; ${forge}; set local session_replication_role = origin`,
      )
      throw (await faultsInBooks(tx, release, hash)).map(({ fault, subject }) => `${fault}: ${subject}`)
    }
    return db.transaction(work).catch((outcome: unknown) => {
      if (Array.isArray(outcome)) return outcome
      throw outcome
    })
  }
  return { db, sql, till, zoe, marc, olivia, foundAfter }
}

/**
 * Hashes every line of the chain again. 'with its days' also updates the hashes in the books of each day, and their
 * records.
 */
export const reseal = (
  days: 'with its days' | 'without its days',
) => `do $$ declare v_line record; v_hash text; begin
  set local timezone = 'UTC';
  for v_time in 1 .. ${days === 'with its days' ? 2 : 1} loop
    v_hash := '';
    for v_line in select line, content from private.chain_lines('books') order by line loop
      v_hash := private.chain_hash(v_hash, v_line.line, v_line.content);
      update private.ledger_seals set hash = v_hash where line = v_line.line;
    end loop;
    update private.ledger_seal_end set hash = v_hash;
    continue when ${days === 'without its days'};
    update private.daily_books as d set seal_hash = s.hash from private.ledger_seals as s where s.line = d.seal;
    update private.sealed_records as r set digest = private.record_digest(r.salt, private.sealed_content(r.kind, to_jsonb(d)))
    from private.daily_books as d where r.kind = 'day of the books' and r.subject = to_jsonb(d) ->> 'day';
  end loop;
end $$;`
