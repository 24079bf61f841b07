// Blocking: nothing new between the two, whoever blocked whom, and nothing that tells the blocked one.
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { addPerson, DENIED, notFound, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { approve, ask, join, openChat, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invite, invited, accept } = invitationsIn(db)
const BLOCKED_BY_ME = rule('You have blocked this person. Unblock them in your account settings first.')

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  const table = await setTheTable(db)
  olivia = table.olivia
  marc = table.marc
  zoe = table.zoe
  plan = table.plan
})

const block = (person: Person, other: Person) => person.sql`select block_person(${other.id})`
const unblock = (person: Person, other: Person) => person.sql`select unblock_person(${other.id})`
const write = async (person: Person, conversation: string) =>
  person.sql`insert into messages (conversation_id, content) values (${conversation}, 'Hello')`
const statusOf = async (request: string) =>
  (await sql<{ status: string }>`select status from subscription_requests where id = ${request}`)[0]?.status
const told = async (person: Person) =>
  (await person.sql<{ title: string }>`select title from user_notifications order by created_at`).map(
    ({ title }) => title,
  )

describe('while one has blocked the other', () => {
  test.each([
    ['the owner', true, notFound('Subscription not found')],
    ['who asks', false, BLOCKED_BY_ME],
  ] as const)('no request goes through: %s has blocked', async (_who, byOwner, refusal) => {
    await (byOwner ? block(olivia, zoe) : block(zoe, olivia))
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(refusal)
    await (byOwner ? unblock(olivia, zoe) : unblock(zoe, olivia))
    await approve(db, plan, await ask(db, zoe, plan))
  })

  test.each([
    ['who invites', true, BLOCKED_BY_ME],
    ['who would be invited', false, rule('This address cannot be invited')],
  ] as const)('no invitation goes out: %s has blocked', async (_who, byOwner, refusal) => {
    await (byOwner ? block(olivia, zoe) : block(zoe, olivia))
    expect(await refusalOf(invite(plan, zoe.email))).toEqual(refusal)
    expect(await sql`select id from subscription_invitations where email = ${zoe.email}`).toEqual([])
    await (byOwner ? unblock(olivia, zoe) : unblock(zoe, olivia))
    await accept(zoe, (await invited(plan, zoe)).token)
  })

  test.each([
    ['the owner', true],
    ['the member', false],
  ] as const)('neither writes to the other: %s has blocked', async (_who, byOwner) => {
    const chat = await openChat(db, plan, marc)
    await write(marc, chat)
    const [blocker, blocked] = byOwner ? [olivia, marc] : [marc, olivia]
    await block(blocker, blocked)
    expect(await refusalOf(write(blocker, chat))).toEqual(BLOCKED_BY_ME)
    expect(await refusalOf(write(blocked, chat))).toEqual(rule('This conversation takes no messages'))
    expect(await blocked.sql`select content from messages`).toHaveLength(1)
    await unblock(blocker, blocked)
    for (const person of [olivia, marc]) await write(person, chat)
  })

  test('the refusals read as they do of somebody whose account is banned', async () => {
    const chat = await openChat(db, plan, marc)
    const ban = (person: Person, until: string) =>
      sql`update auth.users set banned_until = now() + ${until}::interval where id = ${person.id}`
    const attempts = async () => [
      await refusalOf(write(olivia, chat)),
      await refusalOf(invite(plan, zoe.email)),
    ]
    for (const person of [marc, zoe]) await block(person, olivia)
    const blocked = await attempts()
    for (const person of [marc, zoe]) {
      await unblock(person, olivia)
      await ban(person, '1 hour')
    }
    expect(await attempts()).toEqual(blocked)
    for (const person of [marc, zoe]) await ban(person, '-1 second')
    await write(olivia, chat)
    await invite(plan, zoe.email)
  })

  test('a request or an invitation that was open is over, in the words it would have had anyway', async () => {
    const other = await sharePlan(db, marc, { catalogueId: 'spotify-premium-family' })
    const [mine, theirs] = [await ask(db, olivia, other), await ask(db, zoe, plan)]
    const { token } = await invited(plan, zoe)
    await block(olivia, marc)
    await block(olivia, zoe)
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['cancelled', 'rejected'])
    expect(await told(marc)).toContain('Request Cancelled')
    expect(await told(zoe)).toEqual(['Request Rejected'])
    expect(await refusalOf(accept(zoe, token))).toEqual(rule('This invitation has already been withdrawn'))
  })

  test('nobody waits in line for the other’s plan', async () => {
    const full = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family', places: 2 })
    await join(db, marc, full)
    const wait = (person: Person) => person.sql`select join_waiting_list(${full.id})`
    await wait(zoe)
    await block(olivia, zoe)
    expect(await sql`select user_id from waiting_list where subscription_id = ${full.id}`).toEqual([])
    expect(await refusalOf(wait(zoe))).toEqual(notFound('Subscription not found'))
    await unblock(olivia, zoe)
    await wait(zoe)
    await block(zoe, olivia)
    expect(await refusalOf(wait(zoe))).toEqual(BLOCKED_BY_ME)
    expect(await sql`select user_id from waiting_list where subscription_id = ${full.id}`).toEqual([])
  })

  test('an invitation from the blocked one is declined', async () => {
    await invite(plan, zoe.email)
    await block(zoe, olivia)
    expect(await told(olivia)).toContain('Invitation Declined')
    expect(await sql`select kept_places from shared_subscriptions where id = ${plan.id}`).toEqual([
      { kept_places: 0 },
    ])
  })

  test('what was open in the same moment is decided by nobody', async () => {
    const request = await ask(db, zoe, plan)
    const { token } = await invited(plan, zoe)
    // As when both commit at once.
    await sql`insert into blocked_people (user_id, blocked_id) values (${zoe.id}, ${olivia.id})`
    expect(await refusalOf(approve(db, plan, request))).toEqual(
      rule('This request has already been cancelled'),
    )
    expect(await refusalOf(accept(zoe, token))).toEqual(BLOCKED_BY_ME)
  })

  test('a place they share goes on, and others are not concerned', async () => {
    await block(olivia, marc)
    expect(await marc.sql`select status from my_seats()`).toEqual([{ status: 'active' }])
    await approve(db, plan, await ask(db, zoe, plan))
  })
})

describe('who is blocked', () => {
  test('is for the one who did it to see, and for nobody else', async () => {
    await block(olivia, marc)
    await block(olivia, marc)
    expect(await olivia.sql`select blocked_id from blocked_people`).toEqual([{ blocked_id: marc.id }])
    expect(await marc.sql`select blocked_id from blocked_people`).toEqual([])
    expect(await refusalOf(VISITOR.sql`select blocked_id from blocked_people`)).toMatchObject(DENIED)
    expect(await told(marc)).toEqual(['Request Approved'])
  })

  test('is another person that there is', async () => {
    expect(await refusalOf(block(olivia, olivia))).toEqual(rule('You cannot block yourself'))
    const nobody = { ...marc, id: '00000000-0000-4000-8000-000000000000' }
    expect(await refusalOf(block(olivia, nobody))).toEqual(notFound('Person not found'))
  })

  test('is forgotten with either account', async () => {
    const nina = await addPerson(db, 'Nina')
    await block(marc, nina)
    await block(nina, marc)
    await marc.sql`select delete_own_account()`
    expect(await sql`select user_id from blocked_people where ${marc.id} in (user_id, blocked_id)`).toEqual(
      [],
    )
  })
})
