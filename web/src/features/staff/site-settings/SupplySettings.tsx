import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { datesInWords } from '#domain/months.ts'
import { hasImprint, operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import { useChangeSettings } from './site-settings.mutations.ts'
import { siteSettingsQuery } from './site-settings.queries.ts'
import { supplyQuery } from './supply.queries.ts'

const SUPPLIES = [
  { value: 'fee', label: t`The fee alone is our supply` },
  {
    value: 'whole',
    label: t`The whole payment is our supply`,
    description: t`Then payments with real money don’t start: Potluck makes no invoices of whole payments.`,
  },
] as const

/**
 * Asks staff whose supply a payment is (for VAT), which must be answered before payments with real money start, and
 * shows how close sales abroad are to the threshold.
 */
export function SupplySettings() {
  const { data: provider } = useQuery(paymentProviderQuery)
  return provider ? <SupplyCard /> : null
}

function SupplyCard() {
  return (
    <Loaded of={useQuery(supplyQuery)} rows={2} failed={siteSettingsTexts.loadFailed}>
      {(figures) => (
        <SectionCard titleId="supply-title" title={t`VAT of payments through the site`} gap="md" maw={640}>
          <Supply isLive={figures.isLive} />
          <Stack gap={4}>
            {figures.months.map(({ month, gross, vat, unknown }) => (
              <Text key={month} size="sm">
                <Trans>
                  {datesInWords.monthLabelFormat(month)}: {formatMoney(vat)} VAT, if all of the{' '}
                  {formatMoney(gross)} paid were your supply.
                </Trans>{' '}
                {unknown > 0 && t`For ${formatMoney(unknown)} no country is known.`}
              </Text>
            ))}
            {figures.abroad !== null && (
              <Text size="sm" fw={figures.abroad >= figures.limit * 0.8 ? 700 : undefined}>
                <Trans>
                  Fees to other EU countries this year: {formatMoney(figures.abroad)} of{' '}
                  {formatMoney(figures.limit)}, up to which your own country’s VAT applies.
                </Trans>
              </Text>
            )}
          </Stack>
        </SectionCard>
      )}
    </Loaded>
  )
}

function Supply({ isLive }: { isLive: boolean }) {
  const { data: settings } = useQuery(siteSettingsQuery)
  const { data: operator } = useQuery(operatorQuery)
  const change = useChangeSettings()
  return (
    <Radio.Group
      label={t`What do you sell, according to your tax adviser?`}
      description={
        isLive && operator && !hasImprint(operator)
          ? t`New plans and places can’t be paid through the site until your name, address and email are given above.`
          : isLive && settings?.paymentSupply !== 'fee'
            ? t`New plans and places can’t be paid through the site until you answer “the fee alone” (C-695/20).`
            : t`Payments with real money need this answer (C-695/20).`
      }
      value={settings?.paymentSupply ?? null}
      onChange={(chosen) => change.mutate({ paymentSupply: chosen === 'fee' ? 'fee' : 'whole' })}
    >
      <Stack gap="sm" mt="xs">
        {SUPPLIES.map((supply) => (
          <Radio key={supply.value} disabled={change.isPending || !settings} {...supply} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
