// Proves PROVREQ 02 04, VALID 18-20
import { describe, expect, it } from 'vitest'
import { providerRequestSchema, REQUEST_CATEGORIES } from './provider-request.schema.ts'

const family = { name: 'Family', price: 9.99, cycle: 'monthly', maxMembers: 4, features: '4K\n4 screens' }
const mubi = {
  providerName: 'Mubi',
  category: 'Streaming',
  website: 'https://mubi.com',
  description: 'Hand-picked films, a new one a day.',
  plans: [family],
}
const problemsOf = (changes: object) =>
  providerRequestSchema
    .safeParse({ ...mubi, ...changes })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
const problemsOfPlan = (changes: object) => problemsOf({ plans: [family, { ...family, ...changes }] })

describe('a provider request', () => {
  it('offers ten categories in this order', () => {
    expect(REQUEST_CATEGORIES.join(', ')).toBe(
      'Streaming, Music, Gaming, Productivity, Security, Cloud Storage, Design, Education, Fitness, News',
    )
    for (const category of REQUEST_CATEGORIES) expect(problemsOf({ category })).toEqual([])
  })

  it.each([
    [{ providerName: '' }, 'providerName: Provider name must be at least 2 characters'],
    [{ providerName: ' M ' }, 'providerName: Provider name must be at least 2 characters'],
    [{ providerName: 'M\u200b\u200d\ufeff' }, 'providerName: Provider name must be at least 2 characters'],
    [{ providerName: '🍿' }, 'providerName: Provider name must be at least 2 characters'],
    [{ providerName: 'M'.repeat(1_000_000) }, 'providerName: Provider name can be at most 100 characters'],
    [{ category: null }, 'category: Please select a category'],
    [{ category: 'Cooking' }, 'category: Please select a category'],
  ])('is refused for its name or category (%#)', (changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem])
  })

  it.each([
    [{ website: '' }, 'website: Please enter a valid URL'],
    [{ website: 'mubi.com' }, 'website: Please enter a valid URL'],
    [{ website: 'https://mubi' }, 'website: Please enter a valid URL'],
    [{ website: 'javascript:alert(1)//.com' }, 'website: Please enter a valid URL'],
    [{ website: 'https://mubi.com@evil.example' }, 'website: Please enter a valid URL'],
    [{ website: `https://mubi.com/${'a'.repeat(500)}` }, 'website: Please enter a valid URL'],
    [{ description: '  Nine char ' }, 'description: Description must be at least 10 characters'],
    [{ description: '\u200b'.repeat(20) }, 'description: Description must be at least 10 characters'],
    [{ description: 'x'.repeat(2001) }, 'description: Description can be at most 2000 characters'],
  ])('is refused for its address or description (%#)', (changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem])
  })

  it.each([
    [2, 100, (n: number) => ({ providerName: 'x'.repeat(n) })],
    [10, 2000, (n: number) => ({ description: 'x'.repeat(n) })],
  ])('takes from %i to %i characters, and none less or more (%#)', (least, most, changed) => {
    const taken = [least - 1, least, most, most + 1].map((length) => problemsOf(changed(length)).length === 0)
    expect(taken).toEqual([false, true, true, false])
  })

  it('needs a plan', () => {
    expect(problemsOf({ plans: [] })).toEqual(['plans: At least one plan is required'])
  })

  it.each([
    [{ name: ' \u200b' }, 'plans.1.name: Plan name is required'],
    [{ name: 'x'.repeat(101) }, 'plans.1.name: Plan name can be at most 100 characters'],
    [{ price: -0.01 }, 'plans.1.price: Price must be positive'],
    [{ price: '' }, 'plans.1.price: Price must be positive'],
    [{ price: 100_001 }, 'plans.1.price: Price can be at most 100,000'],
    [{ maxMembers: 0 }, 'plans.1.maxMembers: Max members must be at least 1'],
    [{ maxMembers: '' }, 'plans.1.maxMembers: Max members must be at least 1'],
    [{ maxMembers: 2.5 }, 'plans.1.maxMembers: Max members must be a whole number'],
    [{ features: 'HD\n'.repeat(31) }, 'plans.1.features: There can be at most 30 features'],
  ])('is refused for a plan (%#)', (changes, problem) => {
    expect(problemsOfPlan(changes)).toEqual([problem])
  })

  it('knows monthly and yearly only', () => {
    expect(problemsOfPlan({ cycle: 'yearly' })).toEqual([])
    expect(problemsOfPlan({ cycle: 'weekly' })).toHaveLength(1)
  })

  it('is tidied: spaces around texts, cents, one feature per line', () => {
    const asked = {
      ...mubi,
      providerName: ' Mubi ',
      plans: [{ ...family, price: 4.999, features: ' 4K \n\n \u200b\n<b>HDR</b>' }],
    }
    expect(providerRequestSchema.parse(asked)).toEqual({
      ...mubi,
      plans: [{ ...family, price: 5, features: ['4K', '<b>HDR</b>'] }],
    })
  })

  it.each(['شاهد', '📺🍿', 'M6', '<script>alert(1)</script>', 'बालाजी'])(
    'takes the name %s',
    (providerName) => {
      expect(problemsOf({ providerName })).toEqual([])
    },
  )
})
