import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { Seller } from './sellers.queries.ts'

interface SellerNoteProps {
  seller: Seller | null
  ownerName: string
}

/** Says whether the owner is a private person or a trader, and what that means for a member. */
export function SellerNote({ seller, ownerName }: SellerNoteProps) {
  if (!seller) return null
  return (
    <div>
      <Text size="sm">
        {seller.isTrader
          ? t`${ownerName} shares as a trader: you have the rights of a consumer.`
          : t`${ownerName} shares as a private person: consumer law doesn’t apply between you two.`}
      </Text>
      <SellerImprint seller={seller} />
    </div>
  )
}

/** The imprint of a trader. */
export function SellerImprint({ seller: { name, address, email, numbers } }: { seller: Seller }) {
  const lines = [name, address, email, numbers].filter((line) => line !== null)
  if (lines.length === 0) return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{lines.join(' · ')}</bdi>
    </Text>
  )
}
