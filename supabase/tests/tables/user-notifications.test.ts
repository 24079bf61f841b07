import { beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, DENIED, ownDatabase, type Person, refusalOf } from '../people.ts'
import { approve, ask, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

test('people read their own notifications only', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const all = 'select user_id, title, read, subscription_id from user_notifications'
  expect(await olivia.run(all)).toEqual([
    { user_id: olivia.id, title: 'New Join Request', read: false, subscription_id: plan.id },
  ])
  expect(await marc.run(all)).toEqual([
    { user_id: marc.id, title: 'Request Approved', read: false, subscription_id: plan.id },
  ])
  expect(await zoe.run(all)).toEqual([])
  expect(await refusalOf(VISITOR.run(all))).toMatchObject(DENIED)
})

test('only the server writes them', async () => {
  const { marc } = await setTheTable(db)
  for (const text of [
    `insert into user_notifications (user_id, type, title, message) values ('${marc.id}', 'info', 'a', 'b')`,
    `update user_notifications set title = 'mine'`,
    'update user_notifications set read = true',
    'delete from user_notifications where read',
  ]) {
    expect(await refusalOf(marc.run(text))).toMatchObject(DENIED)
  }
})

test('a notification outlives its plan', async () => {
  const { olivia, marc, plan } = await setTheTable(db)
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(
    await marc.sql`select subscription_id from user_notifications where title = 'Request Approved'`,
  ).toEqual([{ subscription_id: null }])
})

describe('the server writes exactly one, to whom it concerns, when', () => {
  let known: Set<string>
  beforeEach(async () => {
    await sql`delete from user_notifications`
    known = new Set()
  })

  /** What was written since the last time, by receiver. */
  const news = async () => {
    const rows = await sql<{
      id: string
      user_id: string
      type: string
      title: string
      message: string
    }>`select id, user_id, type, title, message from user_notifications order by created_at`
    const fresh = rows.filter(({ id }) => !known.has(id))
    known = new Set(rows.map(({ id }) => id))
    return fresh.map(({ user_id, type, title, message }) => [user_id, type, title, message])
  }
  const addStaff = async (role: string) => {
    const person = await addPerson(db, 'Sofia')
    await sql`insert into user_roles (user_id, role) values (${person.id}, ${role})`
    return person
  }

  test('a join request is received, cancelled, rejected and approved', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await news()
    const first = await ask(db, zoe, plan)
    expect(await news()).toEqual([
      [olivia.id, 'info', 'New Join Request', 'Zoe would like to join Netflix Premium.'],
    ])
    await zoe.sql`update subscription_requests set status = 'cancelled' where id = ${first}`
    expect(await news()).toEqual([
      [olivia.id, 'info', 'Request Cancelled', 'Zoe no longer asks to join Netflix Premium.'],
    ])
    const second = await ask(db, zoe, plan)
    await news()
    await olivia.sql`select reject_subscription_request(${second}, ${plan.id})`
    expect(await news()).toEqual([
      [zoe.id, 'info', 'Request Rejected', 'Your request to join Netflix Premium has been rejected.'],
    ])
    const third = await ask(db, zoe, plan)
    await news()
    await approve(db, plan, third)
    expect(await news()).toEqual([
      [zoe.id, 'success', 'Request Approved', 'Your request to join Netflix Premium has been approved.'],
    ])
  })

  test('a member leaves or is removed', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await approve(db, plan, await ask(db, zoe, plan))
    await news()
    const remove = (who: Person, whom: Person) =>
      who.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${whom.id}`
    await remove(marc, marc)
    expect(await news()).toEqual([[olivia.id, 'info', 'Member Left', 'Marc has left Netflix Premium.']])
    await remove(olivia, zoe)
    expect(await news()).toEqual([
      [zoe.id, 'warning', 'Membership Ended', 'You are no longer a member of Netflix Premium.'],
    ])
  })

  test('the status of a withdrawal changes', async () => {
    const [olivia, ada] = [await addPerson(db, 'Olivia'), await addStaff('admin')]
    const anton = await addStaff('admin')
    await moveCoins(db, olivia, 'earned', 60)
    await addBankAccount(db, olivia)
    const withdraw = () =>
      olivia.sql<{ id: string }>`insert into withdrawal_requests (amount) values (20) returning id`
    const decide = (id: string | undefined, status: string, by = ada) =>
      by.sql`update withdrawal_requests set status = ${status}, rejection_reason = ${status === 'rejected' ? 'Unknown account' : null} where id = ${id ?? ''}`
    const [paid] = await withdraw()
    const [refused] = await withdraw()
    expect(await news()).toEqual([
      [olivia.id, 'success', 'First Coins', 'Your first 60.00 coins are in your wallet.'],
    ])
    const told = (kind: string, status: string) => [
      [
        olivia.id,
        kind,
        `Withdrawal ${status}`,
        expect.stringContaining(`20.00 coins is now ${status.toLowerCase()}`),
      ],
    ]
    await decide(paid?.id, 'processing')
    expect(await news()).toEqual(told('info', 'Processing'))
    await decide(paid?.id, 'completed', anton)
    expect(await news()).toEqual(told('info', 'Completed'))
    await decide(refused?.id, 'rejected')
    expect(await news()).toEqual(told('warning', 'Rejected'))
  })

  test('an access request is decided, either way', async () => {
    const sofia = await addStaff('super-admin')
    for (const [status, kind, title] of [
      ['approved', 'success', 'Admin Access Approved'],
      ['rejected', 'info', 'Admin Access Rejected'],
    ] as const) {
      const zoe = await addPerson(db, 'Zoe')
      await zoe.sql`insert into admin_role_requests (name, email, reason) values ('Zoe Day', ${zoe.email}, 'I would like to help with payouts.')`
      expect(await news()).toEqual([])
      await sofia.sql`update admin_role_requests set status = ${status} where user_id = ${zoe.id}`
      expect(await news()).toEqual([
        [zoe.id, kind, title, `Your request for admin access has been ${status}.`],
      ])
    }
  })

  test('a provider request is decided, either way', async () => {
    const ada = await addStaff('admin')
    for (const [status, kind, title] of [
      ['approved', 'success', 'Provider Request Approved'],
      ['rejected', 'info', 'Provider Request Rejected'],
    ] as const) {
      const zoe = await addPerson(db, 'Zoe')
      await zoe.sql`insert into provider_requests (provider_name, category, website_url, description, plans_data)
         values ('Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one a day.',
           '[{"plan_name": "Family", "price": 9.99, "billing_cycle": "monthly", "max_members": 4, "features": []}]')`
      expect(await news()).toEqual([])
      await ada.sql`update provider_requests set status = ${status} where user_id = ${zoe.id}`
      expect(await news()).toEqual([[zoe.id, kind, title, `Your request to add Mubi has been ${status}.`]])
    }
  })
})

test('a notification has an owner, one of four kinds, two texts, a read mark and a time', async () => {
  const { marc } = await setTheTable(db)
  const [row] = await marc.sql`select * from user_notifications`
  expect(row).toMatchObject({
    id: expect.any(String),
    user_id: marc.id,
    type: 'success',
    title: 'Request Approved',
    message: 'Your request to join Netflix Premium has been approved.',
    read: false,
    created_at: expect.any(String),
  })
  const write = (kind: string) =>
    sql`insert into user_notifications (user_id, type, title, message) values (${marc.id}, ${kind}, 'T', 'M')`
  for (const kind of ['success', 'warning', 'error', 'info']) expect(await write(kind)).toEqual([])
  expect(await refusalOf(write('parade'))).toMatchObject({ code: '23514' })
  expect(await sql`select to_regclass('public.notifications') as other`).toEqual([{ other: null }])
})
