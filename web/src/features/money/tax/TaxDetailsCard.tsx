import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { lazyPart } from '#lib/online.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { type TaxDetails, taxDetailsQuery, useShowTaxDetails } from './tax-details.queries.ts'

const TaxDetailsDialog = lazyPart(async () => (await import('./TaxDetailsDialog.tsx')).TaxDetailsDialog)

/** Asks for tax details, if the site must report the person's earnings to a tax office. */
export function TaxDetailsCard() {
  const { data } = useQuery(taxDetailsQuery)
  const [editing, setEditing] = useState<{ details: TaxDetails | null } | null>(null)
  const show = useShowTaxDetails((details) => setEditing({ details }))
  if (!data || (!data.asked && data.given_at === null)) return null
  const givenAt = data.given_at
  return (
    <SectionCard titleId="tax-title" title={t`Tax details`}>
      {givenAt === null && (
        <Alert color="honey" role="status">
          {t`The law has us report to the tax office what you earn here. Please tell us who you are and your tax number.`}
        </Alert>
      )}
      <Text c="dimmed">
        <Trans>
          We give your details and what you earned to the tax office once a year. They’re encrypted and used
          for nothing else. What we report is in your{' '}
          <LinkAnchor to="/my-savings/statement">statement of the year</LinkAnchor>.
        </Trans>
      </Text>
      <Group gap="sm">
        <Button
          variant={givenAt === null ? 'filled' : 'default'}
          loading={show.isPending}
          onClick={() => (givenAt === null ? setEditing({ details: null }) : show.mutate())}
        >
          {givenAt === null ? t`Give your tax details` : t`Look at them or change them`}
        </Button>
        {givenAt !== null && (
          <Text size="sm" c="dimmed">
            <Trans>Given on {fullDay(givenAt)}</Trans>
          </Text>
        )}
      </Group>
      <Suspense>
        {editing && <TaxDetailsDialog details={editing.details} onClose={() => setEditing(null)} />}
      </Suspense>
    </SectionCard>
  )
}
