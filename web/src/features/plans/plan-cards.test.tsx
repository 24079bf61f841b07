import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { Plan } from '#domain/plan.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { theme } from '#ui/theme.ts'
import { PlanSummaryCard } from './PlanSummaryCard.tsx'
import { planKeys } from './plans.queries.ts'
import { SubscribedPlanCard } from './SubscribedPlanCard.tsx'

const plan: Plan = {
  id: 'sub-1',
  name: 'Premium',
  provider: 'Netflix',
  status: 'active',
  category: 'streaming',
  description: '',
  ownerId: 'olivia',
  ownerName: 'Olivia',
  ownerAvatarUrl: null,
  currency: 'EUR',
  totalPrice: 35.88,
  memberPrice: 3.59,
  cycle: 'monthly',
  settlement: 'potluck',
  feeRate: 0.1,
  currentMembers: 1,
  ownerMaxMembers: 4,
  providerMaxMembers: 4,
  waiting: 0,
  isPrivate: false,
  instantFrom: null,
  nextPayment: null,
  createdAt: '2026-11-21T12:00:00Z',
}
const brand = { logo: null, vars: {} }
const show = (card: ReactNode) => {
  const cache = createQueryClient()
  cache.setQueryData(planKeys.login(plan.id), 'family@olivia.example')
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={cache}>{card}</QueryClientProvider>
    </MantineProvider>,
  ).container
}

describe('the card of a member', () => {
  const member = (more: Partial<Plan>) =>
    show(<SubscribedPlanCard plan={{ ...plan, ...more }} brand={brand} />)
  const WARNING =
    'The subscription price information may be incomplete. Please contact the plan owner for details.'

  it('spreads a yearly price over its months, in the currency it is stored in', () => {
    // With the fee 3.95 a year.
    expect(member({ cycle: 'yearly', currency: 'GBP' }).textContent).toMatch(
      /Monthly cost£0\.3310% convenience fee included, paid once a yearNext paymentNot scheduled.*£35\.88 \/ year/,
    )
  })

  it.each([
    [-1, true],
    [0, true],
    [0.01, false],
  ])('with a share of %d warns of the price: %s', (memberPrice, warned) => {
    member({ memberPrice })
    expect(screen.queryByText(WARNING) !== null).toBe(warned)
  })
})

describe('the card of the owner', () => {
  const owner = (more: Partial<Plan>) =>
    show(<PlanSummaryCard plan={{ ...plan, ...more }} userId="olivia" brand={brand} people={null} />)

  it('gives the price of a yearly plan per year, in the currency it is stored in', () => {
    expect(owner({ cycle: 'yearly', currency: 'GBP' }).textContent).toMatch(
      /Total price£35\.88 \/ yearNext paymentNot scheduled/,
    )
  })

  it.each([
    [1, 4, '1/4', 'green', 'herb'],
    [2, 4, '2/4', 'blue', 'blue'],
    [3, 4, '3/4', 'amber', 'honey'],
    [2, 2, '2/2 (Full)', 'red', 'beet'],
  ])(
    'with %i of %i places taken reads %s beside a bar in %s',
    (currentMembers, ownerMaxMembers, text, tone, color) => {
      owner({ currentMembers, ownerMaxMembers })
      expect(screen.getByText(text)).toBeTruthy()
      const bar = screen.getByLabelText('Places taken')
      expect([bar.dataset.tone, bar.style.getPropertyValue('--progress-section-color')]).toEqual([
        tone,
        `var(--mantine-color-${color}-filled)`,
      ])
    },
  )
})
