import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { paymentProviderQuery } from '#lib/payments.ts'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'

/** A link to the person's cards, if the site accepts cards. */
export function CardsLink() {
  const { data: provider } = useQuery(paymentProviderQuery)
  if (!provider) return null
  return (
    <SectionCard
      titleId="cards-title"
      title={t`Cards`}
      gap="xs"
      aside={
        <LinkButton to="/cards" variant="default" leftSection={<IconCreditCard size={18} aria-hidden />}>
          {t`Manage cards`}
        </LinkButton>
      }
    >
      <SimulationNotice />
      <Text c="dimmed">{t`The cards you pay with.`}</Text>
    </SectionCard>
  )
}
