// A bank account that a thief put in place of a person's own: nothing more is paid to it once the link in the mail is opened.
import { expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, ownDatabase } from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()

test.each(['a visitor', 'the person, signed in'])(
  'withdrawals to it go back, whoever opens the link: %s',
  async (who) => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', '90', 'Share')
    const withdraw = async () => {
      const { id } = await olivia.insert('withdrawal_requests', { user_id: olivia.id, amount: '30' })
      return String(id)
    }
    await addBankAccount(db, olivia, { last4: '1111', hoursAgo: 100 })
    const before = await withdraw()
    await addBankAccount(db, olivia, { last4: '6666' })
    const [pending, processing] = [await withdraw(), await withdraw()]
    await sql`update withdrawal_requests set status = 'processing' where id = ${processing}`
    const [mail] = await sql<{ html: string }>`select html from private.outgoing_mail
    where recipient = ${olivia.email} and event = 'account-bank-account' order by created_at desc limit 1`
    const token = /token=([0-9a-f]{64})/.exec(mail?.html ?? '')?.[1]
    await (who === 'a visitor' ? VISITOR : olivia).sql`select undo_account_change(${token})`
    const asked = await sql<{
      id: string
    }>`select id, status, rejection_reason as reason from withdrawal_requests
    where user_id = ${olivia.id}`
    const reason = 'The bank account was taken back.'
    expect(Object.fromEntries(asked.map(({ id, ...rest }) => [id, rest]))).toEqual({
      [before]: { status: 'pending', reason: null },
      [pending]: { status: 'rejected', reason },
      [processing]: { status: 'rejected', reason },
    })
    expect(await olivia.sql`select get_bank_account() ->> 'last4' as last4`).toEqual([{ last4: '1111' }])
    expect(await sql`select private.available_coins(${olivia.id}) as coins`).toEqual([{ coins: '60.00' }])
  },
)
