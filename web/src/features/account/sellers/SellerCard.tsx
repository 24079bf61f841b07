import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#lib/online.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { SellerImprint } from './SellerNote.tsx'
import { mySellerQuery } from './sellers.queries.ts'

const SellerDialog = lazyPart(async () => (await import('./SellerDialog.tsx')).SellerDialog)

/** The owner's declaration of how they share, in their settings. */
export function SellerCard() {
  const { data: seller } = useQuery(mySellerQuery)
  const [asks, setAsks] = useState(false)
  if (!seller) return null
  return (
    <SectionCard titleId="seller-title" title={t`How you share`} gap="xs">
      <Group justify="space-between" gap="sm">
        <Text>{seller.isTrader ? t`As a trader` : t`As a private person`}</Text>
        <Button variant="default" onClick={() => setAsks(true)}>
          {t`Change how you share`}
        </Button>
      </Group>
      <SellerImprint seller={seller} />
      {asks && (
        <Suspense>
          <SellerDialog answer={() => setAsks(false)} />
        </Suspense>
      )}
    </SectionCard>
  )
}
