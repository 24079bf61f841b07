import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countryChoices, EU } from '#domain/countries.ts'
import { fullDay } from '#domain/dates.ts'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { saveFile } from '#lib/save-file.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useChangeVat, VAT_MODES, type VatSettings, vatSettingsQuery } from './invoice-settings.queries.ts'
import { loadInvoicesCsv } from './invoices-csv.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'

/** Settings for invoices of the convenience fee: on or off, VAT, and the seller's details. */
export function InvoiceSettings() {
  return (
    <Loaded of={useQuery(vatSettingsQuery)} rows={3} failed={siteSettingsTexts.loadFailed}>
      {(settings) => <InvoiceForm key={JSON.stringify(settings)} settings={settings} />}
    </Loaded>
  )
}

type Part = 'name' | 'street' | 'postcode' | 'town' | 'vatNumber' | 'sentence'

function InvoiceForm({ settings }: { settings: VatSettings }) {
  const [draft, setDraft] = useState(settings)
  const change = useChangeVat()
  const { mode, since } = draft
  const set = (part: Partial<VatSettings>) => setDraft({ ...draft, ...part })
  const field = (name: Part, label: string, maxLength: number) => ({
    label,
    maxLength,
    required: true,
    value: draft[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: currentTarget.value || null }),
  })
  const { OPERATOR_NAME: name, OPERATOR_TAX_NUMBER: number } = config().operator
  const differs =
    mode !== 'off' &&
    ((name !== undefined && draft.name !== name) || (number !== undefined && draft.vatNumber !== number))
  return (
    <SectionCard
      titleId="invoices-title"
      title={t`Invoices of the fee`}
      aside={settings.mode !== 'off' && <InvoicesButton />}
      gap="lg"
      maw={640}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(draft)
        }}
      >
        <Stack gap="md">
          <Radio.Group
            label={t`How the fee is taxed`}
            description={t`The fee includes the VAT, so nobody pays more or less. Ask your tax adviser.`}
            value={mode}
            onChange={(chosen) =>
              set({ mode: VAT_MODES.find(({ value }) => value === chosen)?.value ?? mode })
            }
          >
            <Stack gap="sm" mt="xs">
              {VAT_MODES.map(({ value, label, meaning }) => (
                <Radio key={value} value={value} label={label} description={meaning} />
              ))}
            </Stack>
          </Radio.Group>
          {mode !== 'off' && (
            <>
              <TextInput {...field('name', t`Your name or company`, LIMITS.longestAddressLine)} />
              <TextInput {...field('street', t`Street and number`, LIMITS.longestAddressLine)} />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput {...field('postcode', t`Postal code`, LIMITS.longestPostcode)} />
                <TextInput {...field('town', t`Town`, LIMITS.longestAddressLine)} />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label={t`Country`}
                  data={countryChoices(EU)}
                  value={draft.country}
                  required
                  searchable
                  allowDeselect={false}
                  nothingFoundMessage={t`No country found`}
                  onChange={(country) => set({ country })}
                />
                <TextInput
                  {...field(
                    'vatNumber',
                    mode === 'small' ? t`VAT or tax number` : t`VAT number`,
                    LIMITS.longestVatNumber,
                  )}
                />
              </SimpleGrid>
              {mode === 'small' && (
                <Textarea
                  {...field('sentence', t`The sentence your law asks for`, LIMITS.longestVatSentence)}
                  description={t`In Germany, for instance: Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.`}
                  autosize
                />
              )}
              <TextInput
                label={t`Prefix of the numbers`}
                description={t`Another prefix begins again at 1.`}
                maxLength={LIMITS.longestInvoicePrefix}
                pattern="[A-Za-z0-9\/\-]*"
                value={draft.prefix}
                onChange={({ currentTarget }) => set({ prefix: currentTarget.value })}
              />
            </>
          )}
          {differs && (
            <Text size="sm" fw={600}>
              <Trans>
                The imprint says something else: {[name, number].filter(Boolean).join(', ')}. Name and VAT
                number should be the same in both.
              </Trans>
            </Text>
          )}
          <Group justify="space-between" gap="sm">
            <Text size="sm" c="dimmed" maw={360}>
              {since ? (
                <Trans>
                  For what was paid since {fullDay(since)}. An invoice that is made never changes.
                </Trans>
              ) : (
                t`For what is paid from then on. An invoice that is made never changes.`
              )}
            </Text>
            <Button type="submit" loading={change.isPending}>{t`Save invoices`}</Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  )
}

/** A button to download all invoices as CSV. */
function InvoicesButton() {
  const collect = useChange({
    run: async () => saveFile('invoices.csv', 'text/csv;charset=utf-8', await loadInvoicesCsv()),
    failed: siteSettingsToasts.invoicesFailed,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={collect.isPending}
      onClick={() => collect.mutate()}
    >
      {t`Download as CSV`}
    </Button>
  )
}
