// A place that is kept for an invited person is given to nobody else.
import { describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import {
  type Asker,
  addPeople,
  addPerson,
  DENIED,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { approve, ask, join, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invite, mailTo, invited, accept, decline, withdraw, look, passDays } = invitationsIn(db)
const membersOf = async ({ id }: SharedPlan) =>
  (await sql`select current_members from shared_subscriptions where id = ${id}`)[0]?.current_members
const toldOf = (person: Person) =>
  sql`select type, title, message from user_notifications where user_id = ${person.id} and title like 'Invitation%'`

describe('a kept place', () => {
  // Two members of four places, and two invited.
  const fillTheTable = async () => {
    const table = await setTheTable(db)
    const [nina, omar] = await addPeople(db, ['Nina', 'Omar'])
    const ofNina = await invited(table.plan, nina)
    const ofOmar = await invited(table.plan, omar)
    return { ...table, nina, omar, ofNina, ofOmar }
  }
  const KEPT = rule('Every open place is kept for somebody')

  test('counts for asking, for approving, for inviting and for closing slots', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    for (const email of ['a@example.com', 'b@example.com']) await invite(plan, email)
    expect(await refusalOf(approve(db, plan, request))).toEqual(KEPT)
    const yara = await addPerson(db, 'Yara')
    expect(await refusalOf(ask(db, yara, plan))).toEqual(KEPT)
    expect(await refusalOf(invite(plan, 'c@example.com'))).toEqual(KEPT)
    const close = 'update shared_subscriptions set owner_max_members = 3 where id = $1'
    expect(await refusalOf(olivia.run(close, [plan.id]))).toEqual(
      rule('Cannot set less than 4 members (joined or invited).'),
    )
  })

  test('is told to whoever looks at the plan, but for the one it is kept for', async () => {
    const { olivia, zoe, nina, plan, ofNina, ofOmar } = await fillTheTable()
    const kept = async (person: Asker) =>
      person.sql`select subscription_id, kept from count_kept_places(${`{${plan.id},sub-unknown}`})`
    const places = (kept: number) => [{ subscription_id: plan.id, kept }]
    expect(await kept(zoe)).toEqual(places(2))
    expect(await kept(nina)).toEqual(places(1))
    await withdraw(olivia, ofNina.id)
    expect(await kept(zoe)).toEqual(places(1))
    expect(await kept(nina)).toEqual(places(1))
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    expect(await kept(zoe)).toEqual([])
    await sql`update shared_subscriptions set status = 'active' where id = ${plan.id}`
    await passDays(ofOmar.id, 7)
    expect(await kept(zoe)).toEqual([])
    expect(await refusalOf(kept(VISITOR))).toMatchObject(DENIED)
  })

  test('is counted on the plan as it comes and goes, and when its time is over at the next minute', async () => {
    const { olivia, nina, plan, ofNina, ofOmar } = await fillTheTable()
    const counted = async () =>
      (await sql`select kept_places from shared_subscriptions where id = ${plan.id}`)[0]?.kept_places
    expect(await counted()).toBe(2)
    await withdraw(olivia, ofNina.id)
    expect(await counted()).toBe(1)
    await accept(nina, (await invited(plan, nina)).token)
    expect(await counted()).toBe(1)
    await passDays(ofOmar.id, 7)
    await sql`select private.run_due_work()`
    expect(await counted()).toBe(0)
  })

  test('is for its person, who may also ask and be approved', async () => {
    const { nina, plan, ofNina } = await fillTheTable()
    await approve(db, plan, await ask(db, nina, plan))
    expect(await membersOf(plan)).toBe(3)
    expect(await look(nina, ofNina.token)).toMatchObject([{ status: 'accepted' }])
    expect((await mailTo(nina.email)).html).toBeUndefined()
  })

  test('is free again when withdrawn, declined or expired, and only then', async () => {
    const { olivia, zoe, nina, omar, plan, ofNina, ofOmar } = await fillTheTable()
    await withdraw(olivia, ofNina.id)
    const third = await invited(plan, nina)
    await decline(nina, third.token)
    expect(await toldOf(olivia)).toEqual([
      {
        type: 'info',
        title: 'Invitation Declined',
        message: `${nina.email} has declined your invitation to Netflix Premium.`,
      },
    ])
    await join(db, zoe, plan)
    expect(await refusalOf(invite(plan, 'late@example.com'))).toEqual(KEPT)
    await passDays(ofOmar.id, 7)
    await invite(plan, 'late@example.com')
    expect(await refusalOf(accept(omar, ofOmar.token))).toEqual(rule('This invitation has expired'))
  })

  test('a withdrawn invitation is not mailed any more', async () => {
    const { olivia, plan } = await setTheTable(db)
    const id = await invite(plan, 'never@example.com')
    await withdraw(olivia, id)
    expect((await mailTo('never@example.com')).html).toBeUndefined()
    expect(await refusalOf(withdraw(olivia, id))).toEqual(rule('This invitation has already been withdrawn'))
  })

  test('goes with its plan, and so does the mail', async () => {
    const { olivia, nina, plan, ofNina } = await fillTheTable()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect((await mailTo(nina.email)).html).toBeUndefined()
    expect(await refusalOf(look(nina, ofNina.token))).toEqual(notFound('Invitation not found'))
  })
})
