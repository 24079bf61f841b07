export type BillingCycle = 'monthly' | 'yearly'

/** A plan somebody shares. Prices are in `currency` per billing cycle, without the platform's fee; counts include the owner. */
export interface Plan {
  id: string
  name: string
  provider: string
  category: string
  status: 'active' | 'pending' | 'rejected'
  description: string
  ownerId: string
  ownerName: string
  ownerAvatarUrl: string | null
  currency: string
  totalPrice: number
  memberPrice: number
  cycle: BillingCycle
  currentMembers: number
  ownerMaxMembers: number
  providerMaxMembers: number
  /** ISO date, or null when nothing is scheduled. */
  nextPayment: string | null
  createdAt: string
}
