import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { hasImprint, operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { useChange } from '#lib/change.ts'
import { saveFile } from '#lib/save-file.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useChangeVat, VAT_MODES, type VatSettings, vatSettingsQuery } from './invoice-settings.queries.ts'
import { loadInvoicesCsv } from './invoices-csv.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'

/** Settings for invoices of the convenience fee: on or off, and VAT. */
export function InvoiceSettings() {
  return (
    <Loaded of={useQuery(vatSettingsQuery)} rows={3} failed={siteSettingsTexts.loadFailed}>
      {(settings) => <InvoiceForm key={JSON.stringify(settings)} settings={settings} />}
    </Loaded>
  )
}

function InvoiceForm({ settings }: { settings: VatSettings }) {
  const [draft, setDraft] = useState(settings)
  const change = useChangeVat()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(settings)
  const { mode, since } = draft
  const set = (part: Partial<VatSettings>) => setDraft({ ...draft, ...part })
  const { data: seller } = useQuery(operatorQuery)
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
              {mode === 'small' && (
                <Textarea
                  label={t`The sentence your law asks for`}
                  maxLength={LIMITS.longestVatSentence}
                  required
                  value={draft.sentence ?? ''}
                  onChange={({ currentTarget }) => set({ sentence: currentTarget.value || null })}
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
          {mode !== 'off' && seller && !(hasImprint(seller) && seller.vatNumber) && (
            <Text size="sm" fw={600}>
              {t`Invoices are made once your name, address and VAT or tax number are given above.`}
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
            <Button type="submit" loading={change.isPending} disabled={!isChanged}>
              {t`Save invoices`}
            </Button>
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
