import { expect, test } from 'vitest'
import type { CataloguePlan, Provider } from '#domain/catalogue.ts'
import { searchPlans } from './search-plans.ts'

const provider = (name: string, ...plans: string[]) =>
  ({
    name,
    plans: plans.map((plan) => ({ name: plan, maxMembers: plan === 'Solo' ? 1 : 4 }) as CataloguePlan),
  }) as Provider
const all = [
  provider('Discovery+', 'Standard'),
  provider('Apple One', 'Solo', 'Family'),
  provider('Disney+', 'Premium', 'Standard'),
  provider('Café Müller', 'Family'),
  provider('Kite', 'Plus (5 seats)'),
]

test.each([
  ['', []],
  ['  ', []],
  ['netflix', []],
  ['disney', ['Disney+ Premium', 'Disney+ Standard']],
  ['DisneyPlus', ['Disney+ Premium', 'Disney+ Standard']],
  ['standard disney', ['Disney+ Standard']],
  ['cafe mu', ['Café Müller Family']],
  // The name on screen counts as well as the catalogue’s.
  ['kite 5 people', ['Kite Plus (5 seats)']],
  ['kite seats', ['Kite Plus (5 seats)']],
  // A plan for a single person cannot be shared.
  ['apple', ['Apple One Family']],
  // A match at the beginning of the provider's name ranks above a match in the plan's name.
  ['d', ['Discovery+ Standard', 'Disney+ Premium', 'Disney+ Standard']],
  ['fam', ['Apple One Family', 'Café Müller Family']],
])('"%s" finds %j', (wanted, plans) =>
  expect(searchPlans(all, wanted).map(({ provider: { name }, plan }) => `${name} ${plan.name}`)).toEqual(
    plans,
  ),
)
