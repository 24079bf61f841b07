// What people ask of each other, sent directly: a place, and an invitation to one.
import { describe, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { denied, insertion, rule } from '../people.ts'
import { BLANK, expectRefused, MEGABYTE, SCRIPT, setScene } from './scene.ts'

const scene = await setScene(await testDatabase())

const WITH_NUL = { code: '22021' }
const NOT_AN_ID = { code: '22P02' }

describe('a request to join', () => {
  const LONG = rule('The message can be at most 500 characters long')
  const ANOTHER = denied('You can only ask for yourself')

  test.each([
    ['no plan', { subscription_id: null }, rule('Subscription ID is required')],
    ['501 characters', { message: 'x'.repeat(501) }, LONG],
    ['a NUL', { message: '\0' }, WITH_NUL],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, ANOTHER],
    ['somebody who is no id', { user_id: SCRIPT }, NOT_AN_ID],
  ])('is refused with %s', async (_what, change, refusal) => {
    const row = { subscription_id: scene.plan, ...change }
    await expectRefused(scene, scene.nina, insertion('subscription_requests', row), refusal)
  })
})

describe('an invitation', () => {
  test.each([
    ['nothing', ''],
    ['blanks', BLANK],
    ['no at-sign', 'marc.example'],
    ['two at-signs', 'a@b@c.example'],
    ['no domain', 'marc@'],
    ['two lines', 'a@b.example\nBcc: c@d.example'],
    ['two addresses', 'a@b.example, c@d.example'],
    ['a letter that looks like another', 'm\u0430rc@potluck.example'],
    ['too long an address', `${'x'.repeat(245)}@b.example`],
    ['a megabyte', `${MEGABYTE}@b.example`],
  ])('is refused with %s', async (_what, email) => {
    const call = ['select invite_member($1, $2)', [scene.plan, email]] as const
    await expectRefused(scene, scene.olivia, call, rule('Valid email is required'))
  })
})
