import { describe, expect, test } from 'vitest'
import { type Asker, addPerson, DENIED, ownDatabase, type Person, refusalOf } from '../people.ts'
import { join, openChat, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const members = async (person: Asker, plan: SharedPlan) =>
  (
    await person.sql<{
      user_id: string
    }>`select user_id from subscription_members where subscription_id = ${plan.id} order by is_owner desc, joined_at`
  ).map(({ user_id }) => user_id)
const remove = (person: Asker, plan: SharedPlan, member: Person) =>
  person.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${member.id} returning user_id`
const count = async (plan: SharedPlan) =>
  (await sql`select current_members from shared_subscriptions where id = ${plan.id}`)[0]?.current_members
const archived = async (conversation: string) =>
  (await sql`select archived from conversations where id = ${conversation}`)[0]?.archived

describe('the members of a plan', () => {
  test('the owner sees all, a member the owner and themselves, a stranger nobody', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await join(db, nina, plan)
    expect(await members(olivia, plan)).toEqual([olivia.id, marc.id, nina.id])
    expect(await members(marc, plan)).toEqual([olivia.id, marc.id])
    expect(await members(zoe, plan)).toEqual([])
    expect(await refusalOf(members(VISITOR, plan))).toMatchObject(DENIED)
  })

  test('a member is known by a UUID that has a profile, and by nothing else', async () => {
    const { olivia, plan } = await setTheTable(db)
    const [column] = await sql`select data_type from information_schema.columns
      where table_schema = 'public' and table_name = 'subscription_members' and column_name = 'user_id'`
    expect(column).toEqual({ data_type: 'uuid' })
    const seat = (id: string) =>
      sql`insert into subscription_members (subscription_id, user_id, name, email) values (${plan.id}, ${id}, 'X', 'x')`
    expect(await refusalOf(seat('marc'))).toMatchObject({ code: '22P02' })
    expect(await refusalOf(seat('00000000-0000-4000-8000-000000000000'))).toMatchObject({ code: '23503' })
    const named = 'select user_id from subscription_members where user_id::text = $1'
    expect(await olivia.run(named, ['marc'])).toEqual([])
  })
})

describe('leaving and removing', () => {
  test('a member leaves: the count goes down, the chat is archived, the owner told', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const chat = await openChat(db, plan, marc)
    expect(await count(plan)).toBe(2)
    expect(await archived(chat)).toBe(false)
    expect(await remove(marc, plan, marc)).toHaveLength(1)
    expect(await count(plan)).toBe(1)
    expect(await archived(chat)).toBe(true)
    expect(await olivia.sql`select message from user_notifications where title = 'Member Left'`).toEqual([
      { message: 'Marc has left Netflix Premium.' },
    ])
  })

  test('the owner removes a member, who is told; their chat alone is archived', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await join(db, nina, plan)
    const [chat, other] = [await openChat(db, plan, marc), await openChat(db, plan, nina)]
    expect(await remove(olivia, plan, marc)).toHaveLength(1)
    expect(await count(plan)).toBe(2)
    expect([await archived(chat), await archived(other)]).toEqual([true, false])
    expect(await marc.sql`select message from user_notifications where title = 'Membership Ended'`).toEqual([
      { message: 'You are no longer a member of Netflix Premium.' },
    ])
  })

  test('the owner cannot leave the own plan', async () => {
    const { olivia, plan } = await setTheTable(db)
    expect(await remove(olivia, plan, olivia)).toEqual([])
    expect(await count(plan)).toBe(2)
  })

  test('an account that goes gives its place back', async () => {
    const { marc, plan } = await setTheTable(db)
    await marc.sql`select delete_own_account()`
    expect(await count(plan)).toBe(1)
  })
})
