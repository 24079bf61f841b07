import { MantineProvider } from '@mantine/core'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Plan } from '#domain/plan.ts'
import { PlanCard } from './PlanCard.tsx'

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
  totalPrice: 19.99,
  memberPrice: 5,
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
const brand = {
  logo: <i data-testid="logo" />,
  vars: { '--provider-color': '#E50914' } as Record<string, string>,
}
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const show = (card: Partial<Parameters<typeof PlanCard>[0]>) =>
  render(
    <RouterContextProvider router={router}>
      <MantineProvider>
        <PlanCard plan={plan} side="subscribed" brand={brand} {...card} />
      </MantineProvider>
    </RouterContextProvider>,
  )
const card = () => screen.getByRole('article', { name: 'Netflix Premium' })

describe('a plan card', () => {
  it.each(['default', 'glass', 'gradient', 'provider'] as const)('comes in the look %s', (look) => {
    show({ look })
    expect(card().dataset.look).toBe(look)
    expect(card().style.getPropertyValue('--provider-color')).toBe('#E50914')
    expect(screen.getByTestId('logo')).toBeTruthy()
  })

  it.each([
    [5, 'monthly', 'EUR', '€5.50 / month'],
    [3.59, 'yearly', 'EUR', '€3.95 / year'],
    [10, 'monthly', 'GBP', '£11.00 / month'],
    [10, 'monthly', '', '€11.00 / month'],
  ] as const)('shows a share of %d, %s in "%s", as %s', (memberPrice, cycle, currency, text) => {
    show({ plan: { ...plan, memberPrice, cycle, currency } })
    expect(screen.getByText('You pay').nextElementSibling?.textContent).toBe(text)
  })

  it.each([
    ['pending', 'shared', 'In review: only you see it'],
    ['rejected', 'shared', 'Not approved: nobody can join'],
    ['active', 'shared', null],
    ['pending', 'subscribed', null],
  ] as const)('of a plan that is %s says among the %s ones: %s', (status, side, mark) => {
    show({ plan: { ...plan, status }, side })
    expect(card().querySelector('[data-review]')?.textContent ?? null).toBe(mark)
  })

  it('counts up to 99', () => {
    show({ side: 'shared', pending: 100, unread: 1 })
    expect(screen.getByText('99+ requests')).toBeTruthy()
    expect(screen.getByText('1 unread')).toBeTruthy()
  })
})
