// What people ask the staff for, sent directly.
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { insertion, rule } from '../people.ts'
import { BLANK, expectRefused, FAMILY, MEGABYTE, RTL, SCRIPT, setScene, ZERO_WIDTH } from './scene.ts'

const scene = await setScene(await testDatabase())

const WITH_NUL = { code: '22021' }
const NOT_AN_ID = { code: '22P02' }

describe('a provider request', () => {
  const plan = { plan_name: 'Family', price: 9.99, billing_cycle: 'monthly', max_members: 4 }
  const offering = (change: object) => ({ plans_data: JSON.stringify([{ ...plan, ...change }]) })
  const good = {
    provider_name: 'Mubi',
    category: 'Streaming',
    website_url: 'https://mubi.com',
    description: 'Films chosen by hand.',
    plans_data: JSON.stringify([plan]),
  }
  const NAME = rule('Provider name must be at least 2 characters')
  const CATEGORY = rule('Please select a category')
  const ADDRESS = rule('Please enter a valid URL')
  const DESCRIPTION = rule('Description must be at least 10 characters')
  const NO_PLANS = rule('At least one plan is required')
  const PLAN_NAME = rule('Plan name is required')
  const PRICE = rule('Price must be positive')
  const MEMBERS = rule('Max members must be at least 1')
  const CROWD = rule('Max members must be a whole number up to 10,000')
  const MANY = rule('These are too many plans')
  const FEATURES = rule('Features are up to 30 texts of at most 200 characters')
  const CYCLE = rule('The billing cycle is monthly or yearly')

  test.each([
    ['no name', { provider_name: null }, NAME],
    ['a letter', { provider_name: ' M ' }, NAME],
    ['blanks for a name', { provider_name: BLANK }, NAME],
    ['zero-width characters for a name', { provider_name: ZERO_WIDTH }, NAME],
    ['a megabyte of name', { provider_name: MEGABYTE }, rule('Provider name can be at most 100 characters')],
    ['a NUL in a name', { provider_name: 'Mu\0bi' }, WITH_NUL],
    ['no category', { category: null }, CATEGORY],
    ['another category', { category: 'streaming' }, CATEGORY],
    ['markup for a category', { category: SCRIPT }, CATEGORY],
    ['no address', { website_url: null }, ADDRESS],
    ['an address that runs', { website_url: 'javascript:alert(1)//a.b' }, ADDRESS],
    ['an address of data', { website_url: 'data:text/html,a.b' }, ADDRESS],
    ['half an address', { website_url: 'https://mubi' }, ADDRESS],
    ['an address with a blank', { website_url: 'https://mu bi.com' }, ADDRESS],
    ['an address with a name before it', { website_url: 'https://netflix.com@evil.example' }, ADDRESS],
    ['a megabyte of address', { website_url: `https://a.b/${MEGABYTE}` }, ADDRESS],
    ['no description', { description: null }, DESCRIPTION],
    ['nine characters', { description: 'x'.repeat(9) }, DESCRIPTION],
    ['invisible characters', { description: ZERO_WIDTH.repeat(5) }, DESCRIPTION],
    [
      'a megabyte of description',
      { description: MEGABYTE },
      rule('Description can be at most 2000 characters'),
    ],
    ['no plans', { plans_data: null }, NO_PLANS],
    ['an empty list', { plans_data: '[]' }, NO_PLANS],
    ['an object for a list', { plans_data: '{"0":{}}' }, NO_PLANS],
    ['a text for a list', { plans_data: '"Family"' }, NO_PLANS],
    ['too many plans', { plans_data: JSON.stringify(Array(51).fill(plan)) }, MANY],
    ['a megabyte of plans', offering({ plan_name: MEGABYTE }), MANY],
    ['something that is no plan', { plans_data: '[null]' }, PLAN_NAME],
    ['a plan without a name', offering({ plan_name: undefined }), PLAN_NAME],
    ['a plan of blanks', offering({ plan_name: BLANK }), PLAN_NAME],
    ['a plan of zero-width characters', offering({ plan_name: ZERO_WIDTH }), PLAN_NAME],
    ['a plan with a number for a name', offering({ plan_name: 7 }), PLAN_NAME],
    [
      'a long plan name',
      offering({ plan_name: 'x'.repeat(101) }),
      rule('Plan name can be at most 100 characters'),
    ],
    ['no price', offering({ price: null }), PRICE],
    ['a negative price', offering({ price: -0.000001 }), PRICE],
    ['a price that is no number', offering({ price: 'NaN' }), PRICE],
    ['an endless price', offering({ price: 'Infinity' }), PRICE],
    ['a price of words', offering({ price: SCRIPT }), PRICE],
    ['a price beyond all', offering({ price: 100_000.01 }), rule('Price can be at most 100,000')],
    ['no members', offering({ max_members: 0 }), MEMBERS],
    ['less than no members', offering({ max_members: -4 }), MEMBERS],
    ['members as a text', offering({ max_members: '4' }), MEMBERS],
    ['half a member', offering({ max_members: 1.5 }), CROWD],
    ['a crowd', offering({ max_members: 10_001 }), CROWD],
    ['no cycle', offering({ billing_cycle: null }), CYCLE],
    ['another cycle', offering({ billing_cycle: 'weekly' }), CYCLE],
    ['features that are no list', offering({ features: SCRIPT }), FEATURES],
    ['features with a flag', offering({ features: [{ name: 'HD' }] }), FEATURES],
    ['a long feature', offering({ features: ['a'.repeat(201)] }), FEATURES],
    ['thirty-one features', offering({ features: Array(31).fill('HD') }), FEATURES],
    ['a megabyte of feature', offering({ features: [MEGABYTE] }), MANY],
    ['plans that are no JSON', { plans_data: '[' }, NOT_AN_ID],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, { code: '42501' }],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefused(scene, scene.nina, insertion('provider_requests', { ...good, ...change }), refusal)
  })

  test('keeps a price to the cent, and text of any script as it is', async () => {
    const row = {
      ...good,
      provider_name: `${RTL} ${FAMILY}`,
      description: SCRIPT,
      ...offering({ price: 9.995 }),
    }
    const [text, values] = insertion('provider_requests', row)
    const [stored] = await scene.nina.run(`${text} returning *`, [...values])
    expect(stored).toMatchObject({
      provider_name: `${RTL} ${FAMILY}`,
      description: SCRIPT,
      plans_data: [{ price: 10 }],
    })
  })
})

describe('an access request', () => {
  const good = { name: 'Nina', email: 'nina@potluck.example', reason: 'I would like to help out.' }
  const NAME = rule('Name is required')
  const EMAIL = rule('Valid email is required')
  const REASON = rule('Please provide a detailed reason for your request')

  test.each([
    ['no name', { name: null }, NAME],
    ['a letter', { name: ' N ' }, NAME],
    ['blanks for a name', { name: BLANK }, NAME],
    ['zero-width characters for a name', { name: ZERO_WIDTH }, NAME],
    ['a megabyte of name', { name: MEGABYTE }, rule('Name can be at most 120 characters')],
    ['no address', { email: null }, EMAIL],
    ['no at-sign', { email: 'nina.example' }, EMAIL],
    ['two at-signs', { email: 'nina@@potluck.example' }, EMAIL],
    ['an address with a blank', { email: 'ni na@potluck.example' }, EMAIL],
    ['a full-width address', { email: 'ｎｉｎａ@potluck.example' }, EMAIL],
    ['an address without a domain', { email: 'nina@potluck' }, EMAIL],
    ['a megabyte of address', { email: `${MEGABYTE}@potluck.example` }, EMAIL],
    ['no reason', { reason: null }, REASON],
    ['nine characters', { reason: 'x'.repeat(9) }, REASON],
    ['blanks for a reason', { reason: BLANK.repeat(5) }, REASON],
    ['zero-width characters for a reason', { reason: ZERO_WIDTH.repeat(5) }, REASON],
    ['a megabyte of reason', { reason: MEGABYTE }, rule('The reason can be at most 2000 characters')],
    ['a NUL', { reason: 'Please\0 let me in' }, WITH_NUL],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, { code: '42501' }],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefused(scene, scene.nina, insertion('admin_role_requests', { ...good, ...change }), refusal)
  })
})
