// Blocking: nothing new can begin between two people, whichever of them blocked the other, and nothing reveals the
// block to the blocked person.
// Proves REP 06
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, refusalOf, rule, single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { approve, ask, join, openChat, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const { invite, invited, accept } = invitationsIn(db)
const BLOCKED_BY_ME = rule('You’ve blocked this person. Unblock them in Account Settings first.')

let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const block = (person: Person, other: Person) => person.sql`select block_person(${other.id})`
const unblock = (person: Person, other: Person) => person.sql`select unblock_person(${other.id})`
const write = (person: Person, conversation: string) =>
  person.sql`insert into messages (conversation_id, content) values (${conversation}, 'Hello')`
const wait = (person: Person, { id }: SharedPlan) => person.sql`select join_waiting_list(${id})`
const statusOf = (request: string) =>
  single(sql`select status from subscription_requests where id = ${request}`)
const told = (person: Person) =>
  columnOf(person.sql`select title from user_notifications order by created_at`)
const blockedBy = (person: Person) => columnOf(person.sql`select blocked_id from blocked_people`)
/** Creates a plan of Olivia's without a free place. */
async function fullPlan() {
  const full = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family', places: 2 })
  await join(db, marc, full)
  return full
}

describe('while one has blocked the other', () => {
  const ATTEMPTS: Record<string, (other: SharedPlan) => Promise<unknown>> = {
    'a request': () => ask(db, zoe, plan),
    'an invitation': () => invite(plan, zoe.email),
    'waiting in line': (full) => wait(zoe, full),
  }
  const UNKNOWN = notFound('Subscription not found')
  test.each([
    ['a request', 'the owner', UNKNOWN],
    ['a request', 'who asks', UNKNOWN],
    ['an invitation', 'the owner', BLOCKED_BY_ME],
    ['an invitation', 'who would be invited', rule('You can’t invite this address')],
    ['waiting in line', 'the owner', UNKNOWN],
    ['waiting in line', 'who waits', UNKNOWN],
  ])('%s is refused: %s has blocked', async (what, who, refusal) => {
    const full = await fullPlan()
    const [blocker, blocked] = who === 'the owner' ? [olivia, zoe] : [zoe, olivia]
    await block(blocker, blocked)
    await expectRefusal(ATTEMPTS[what]?.(full) ?? Promise.resolve(), refusal)
    await unblock(blocker, blocked)
    await ATTEMPTS[what]?.(full)
  })

  test.each(['the owner', 'the member'])('neither writes to the other: %s has blocked', async (who) => {
    const chat = await openChat(db, plan, marc)
    await write(marc, chat)
    const [blocker, blocked] = who === 'the owner' ? [olivia, marc] : [marc, olivia]
    await block(blocker, blocked)
    await expectRefusal(write(blocker, chat), BLOCKED_BY_ME)
    await expectRefusal(write(blocked, chat), rule('This conversation is closed'))
    expect(await blocked.sql`select content from messages`).toHaveLength(1)
    await unblock(blocker, blocked)
    for (const person of [olivia, marc]) await write(person, chat)
  })

  test('the refusals read as they do of somebody whose account is banned', async () => {
    const chat = await openChat(db, plan, marc)
    const ban = (until: string) =>
      sql`update auth.users set banned_until = now() + ${until}::interval where id in (${marc.id}, ${zoe.id})`
    const attempts = async () => [
      await refusalOf(write(olivia, chat)),
      await refusalOf(invite(plan, zoe.email)),
    ]
    for (const person of [marc, zoe]) await block(person, olivia)
    const blocked = await attempts()
    for (const person of [marc, zoe]) await unblock(person, olivia)
    await ban('1 hour')
    expect(await attempts()).toEqual(blocked)
    await ban('-1 second')
    await write(olivia, chat)
    await invite(plan, zoe.email)
  })

  test('what was open is over, in the words it would have had anyway', async () => {
    const other = await sharePlan(db, marc, { catalogueId: 'spotify-premium-family' })
    const [mine, theirs] = [await ask(db, olivia, other), await ask(db, zoe, plan)]
    const { token } = await invited(plan, zoe)
    await block(olivia, marc)
    await block(olivia, zoe)
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['cancelled', 'rejected'])
    expect(await told(marc)).toContain('Request Cancelled')
    expect(await told(zoe)).toEqual(['Request Rejected'])
    await expectRefusal(accept(zoe, token), rule('This invitation has already been withdrawn'))
  })

  test.each(['the owner', 'who waits'])(
    'nobody waits in line for the other’s plan: %s has blocked',
    async (who) => {
      const full = await fullPlan()
      await wait(zoe, full)
      await (who === 'the owner' ? block(olivia, zoe) : block(zoe, olivia))
      expect(await sql`select user_id from waiting_list where subscription_id = ${full.id}`).toEqual([])
    },
  )

  test('an invitation from the blocked one is declined', async () => {
    await invite(plan, zoe.email)
    await block(zoe, olivia)
    expect(await told(olivia)).toContain('Invitation Declined')
    expect(await single(sql`select kept_places from shared_subscriptions where id = ${plan.id}`)).toBe(0)
  })

  test('what was open in the same moment is decided by nobody', async () => {
    const request = await ask(db, zoe, plan)
    const { token } = await invited(plan, zoe)
    // Inserts the row directly, as if the block and the request had committed at the same moment.
    await sql`insert into blocked_people (user_id, blocked_id) values (${zoe.id}, ${olivia.id})`
    await expectRefusal(approve(db, plan, request), rule('This request has already been cancelled'))
    await expectRefusal(accept(zoe, token), BLOCKED_BY_ME)
  })

  test('a place they share goes on, and others are not concerned', async () => {
    await block(olivia, marc)
    expect(await columnOf(marc.sql`select status from my_seats()`)).toEqual(['active'])
    await approve(db, plan, await ask(db, zoe, plan))
  })
})

test('who is blocked is another person that there is, and seen by the one who did it alone', async () => {
  await block(olivia, marc)
  await block(olivia, marc)
  expect([await blockedBy(olivia), await blockedBy(marc)]).toEqual([[marc.id], []])
  expect(await told(marc)).toEqual(['Request Approved'])
  await expectRefusal(block(olivia, olivia), rule('You cannot block yourself'))
  const nobody = { ...marc, id: '00000000-0000-4000-8000-000000000000' }
  await expectRefusal(block(olivia, nobody), notFound('Person not found'))
})

test('who is blocked is forgotten with either account', async () => {
  const nina = await addPerson(db, 'Nina')
  await block(marc, nina)
  await block(nina, marc)
  await marc.sql`select delete_own_account()`
  expect(await sql`select user_id from blocked_people where ${marc.id} in (user_id, blocked_id)`).toEqual([])
})
