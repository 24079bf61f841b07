import { describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import {
  type Asker,
  addPerson,
  DENIED,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()

describe('mark_notifications_as_read', () => {
  const mark = (person: Asker, of: Person, ids: string | null) =>
    person.sql`select mark_notifications_as_read(${of.id}, ${ids}::uuid[])`
  const unread = (person: Person) =>
    person.sql<{ id: string }>`select id from user_notifications where not read order by created_at`
  const withThree = async () => {
    const zoe = await addPerson(db, 'Zoe')
    for (const title of ['one', 'two', 'three']) {
      await sql`select private.notify(${zoe.id}, 'info', ${title}, 'News', null)`
    }
    return zoe
  }

  test('marks those named, or all of them', async () => {
    const zoe = await withThree()
    const [first] = await unread(zoe)
    await mark(zoe, zoe, `{${first?.id}}`)
    expect(await unread(zoe)).toHaveLength(2)
    await mark(zoe, zoe, null)
    expect(await unread(zoe)).toEqual([])
  })

  test('leaves the notifications of others alone', async () => {
    const [zoe, marc] = [await withThree(), await addPerson(db, 'Marc')]
    const [first] = await unread(zoe)
    await mark(marc, marc, `{${first?.id}}`)
    expect(await unread(zoe)).toHaveLength(3)
    expect(await refusalOf(mark(marc, zoe, null))).toEqual(denied('You can only do this for yourself'))
    expect(await refusalOf(mark(VISITOR, zoe, null))).toMatchObject(DENIED)
  })
})

describe('assign_user_role', () => {
  const assign = (person: Asker, to: Person, role: string | null) =>
    person.sql`select assign_user_role(${to.id}, ${role}) as success`

  test('grants a role and, with an empty one, takes it away', async () => {
    const [sofia, zoe] = [await addPerson(db, 'Sofia'), await addPerson(db, 'Zoe')]
    await sql`insert into user_roles (user_id, role) values (${sofia.id}, 'super-admin')`
    const held = () => zoe.sql`select role, granted_by from user_roles where user_id = ${zoe.id}`
    expect(await assign(sofia, zoe, 'moderator')).toEqual([{ success: true }])
    expect(await held()).toEqual([{ role: 'moderator', granted_by: sofia.id }])
    expect(await assign(sofia, zoe, 'admin')).toEqual([{ success: true }])
    expect(await held()).toEqual([{ role: 'admin', granted_by: sofia.id }])
    expect(await assign(sofia, zoe, '')).toEqual([{ success: true }])
    expect(await held()).toEqual([])
    expect(await refusalOf(assign(sofia, zoe, 'emperor'))).toEqual(rule('There is no role "emperor"'))
  })
})

describe('validate_withdrawal_request', () => {
  test('says what may be withdrawn, to the wallet owner only', async () => {
    const [olivia, zoe] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Zoe')]
    await moveCoins(db, olivia, 'earned', 45.5)
    await addBankAccount(db, olivia)
    const validate = async (person: Asker, amount: string) =>
      (await person.sql`select validate_withdrawal_request(${olivia.id}, ${amount}) as answer`)[0]?.answer
    expect(await validate(olivia, '45.5')).toEqual({ valid: true, error: null })
    expect(await validate(olivia, '19')).toEqual({
      valid: false,
      error: 'Minimum withdrawal amount is 20 coins',
    })
    expect(await validate(olivia, '46')).toEqual({
      valid: false,
      error: 'Maximum withdrawal amount is 45.50 coins',
    })
    expect(await refusalOf(validate(zoe, '20'))).toMatchObject(DENIED)
    expect(await refusalOf(validate(VISITOR, '20'))).toMatchObject(DENIED)
  })
})
