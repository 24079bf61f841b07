// Proves MYSUB 16, PLAN 08 22, MEMB 03 07, LIMIT 01 23
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import type { Plan } from '#domain/plan.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { theme } from '#ui/theme.ts'
import { setTestSite } from '../../../../test/site.ts'
import { PlanCard } from './PlanCard.tsx'
import { PlanSummaryCard } from './PlanSummaryCard.tsx'
import { SubscribedPlanCard } from './SubscribedPlanCard.tsx'

const plan: Plan = {
  ...{ id: 'sub-1', name: 'Premium', provider: 'Netflix', status: 'active', category: 'streaming' },
  ...{ description: '', ownerId: 'olivia', ownerName: 'Olivia', ownerAvatarUrl: null },
  ...{ currency: 'EUR', totalPrice: 35.88, memberPrice: 3.59, cycle: 'monthly', settlement: 'potluck' },
  ...{ feeRate: 0.1, currentMembers: 1, ownerMaxMembers: 4, providerMaxMembers: 4, waiting: 0 },
  ...{ website: null, note: null, shareRule: 'equal' },
  ...{ isPrivate: false, instantFrom: null, nextPayment: null, createdAt: '2026-11-21T12:00:00Z' },
}
const yearly = { cycle: 'yearly', currency: 'GBP' } as const
beforeEach(() => void setTestSite({}))
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
function show(card: ReactNode) {
  const cache = createQueryClient()
  return render(
    <RouterContextProvider router={router}>
      <MantineProvider theme={theme}>
        <QueryClientProvider client={cache}>{card}</QueryClientProvider>
      </MantineProvider>
    </RouterContextProvider>,
  ).container.textContent
}
const showInList = (card: Partial<Parameters<typeof PlanCard>[0]>) =>
  show(<PlanCard plan={plan} side="subscribed" {...card} />)
const card = () => screen.getByRole('article', { name: 'Netflix Premium' })

it.each(['default', 'glass', 'gradient', 'provider'] as const)(
  'a card in a list comes in the look %s',
  (look) => {
    showInList({ look })
    expect(card().dataset.look).toBe(look)
    expect(card().style.getPropertyValue('--provider-color')).toBe('#E50914')
    expect(card().querySelector('svg use')).toBeTruthy()
  },
)

it.each([
  [5, 'monthly', 'EUR', '€5.50 / month'],
  [3.59, 'yearly', 'GBP', '£3.95 / year'],
  [10, 'monthly', '', '€11.00 / month'],
] as const)('a share of %d, %s in "%s", is shown as %s', (memberPrice, cycle, currency, text) => {
  showInList({ plan: { ...plan, memberPrice, cycle, currency } })
  expect(screen.getByText('You pay').nextElementSibling?.textContent).toBe(text)
})

it.each([
  ['pending', 'shared', 'In review: only you can see it'],
  ['rejected', 'shared', 'Not approved: no one can join'],
  ['active', 'shared', null],
  ['pending', 'subscribed', null],
] as const)('the card of a plan that is %s says among the %s ones: %s', (status, side, mark) => {
  showInList({ plan: { ...plan, status }, side })
  expect(card().querySelector('[data-review]')?.textContent ?? null).toBe(mark)
})

it('a card counts up to 99', () =>
  expect(showInList({ side: 'shared', pending: 100, unread: 1 })).toMatch(/1 unread99\+ requests/))

// The expected 0.33 a month is 3.95 a year, fee included.
it('the card of a member spreads a yearly price over its months, in the currency it is stored in', () =>
  expect(show(<SubscribedPlanCard plan={{ ...plan, ...yearly }} payment="Paid until 27 December" />)).toMatch(
    /Monthly cost£0\.3310% convenience fee included, paid once a yearYour next paymentPaid until 27 December.*£35\.88 \/ year/,
  ))

it.each([
  [0, true],
  [0.01, false],
])('the card of a member with a share of %d warns of the price: %s', (memberPrice, warned) => {
  const text = show(<SubscribedPlanCard plan={{ ...plan, memberPrice }} payment="Paid until 27 December" />)
  expect(text?.includes('The subscription price information may be incomplete.')).toBe(warned)
})

const showOwners = (more: Partial<Plan>) =>
  show(<PlanSummaryCard plan={{ ...plan, ...more }} userId="olivia" people={null} />)

it('the card of the owner gives the price of a yearly plan per year, in the currency it is stored in', () =>
  expect(showOwners(yearly)).toMatch(/Total price£35\.88 \/ yearNetflix renewsNot scheduled/))

it.each([
  [1, 4, '1/4', 'green', 'herb'],
  [2, 4, '2/4', 'blue', 'blue'],
  [3, 4, '3/4', 'amber', 'honey'],
  [2, 2, '2/2 (Full)', 'red', 'beet'],
])(
  'with %i of %i places taken it reads %s beside a bar in %s',
  (currentMembers, ownerMaxMembers, text, tone, color) => {
    showOwners({ currentMembers, ownerMaxMembers })
    expect(screen.getByText(text)).toBeTruthy()
    const bar = screen.getByLabelText('Places taken')
    expect([bar.dataset.tone, bar.style.getPropertyValue('--progress-section-color')]).toEqual([
      tone,
      `var(--mantine-color-${color}-filled)`,
    ])
  },
)
