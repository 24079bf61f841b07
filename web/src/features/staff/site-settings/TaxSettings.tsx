import { t } from '@lingui/core/macro'
import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countryChoices, EU } from '#domain/countries.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import {
  ACTIVITIES,
  NEXUS,
  type TaxSettings as Settings,
  taxSettingsQuery,
  useChangeTax,
} from './tax-settings.queries.ts'

/** Settings for reporting owners' earnings to a tax office, which few sites must do. */
export function TaxSettings() {
  return (
    <Loaded of={useQuery(taxSettingsQuery)} rows={2} failed={siteSettingsTexts.loadFailed}>
      {(settings) => <TaxForm key={JSON.stringify(settings)} settings={settings} />}
    </Loaded>
  )
}

function TaxForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useState(settings)
  const change = useChangeTax()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(settings)
  const set = (part: Partial<Settings>) => setDraft({ ...draft, ...part })
  const text = (
    label: string,
    maxLength: number,
    value: string | null,
    onText: (text: string | null) => void,
  ) => ({
    label,
    maxLength,
    required: true,
    value: value ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onText(currentTarget.value || null),
  })
  return (
    <SectionCard
      titleId="tax-report-title"
      title={t`Report to the tax office (DAC7)`}
      aside={settings.isOn && <LinkAnchor to="/admin/tax-report">{t`Open the report`}</LinkAnchor>}
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
          <Switch
            label={t`Report what owners earn`}
            description={t`Only if your adviser says that sharing is one of the activities of DAC7: most likely it is none. Owners who are paid through the site are then asked for their tax details.`}
            checked={draft.isOn}
            onChange={({ currentTarget }) => set({ isOn: currentTarget.checked })}
          />
          {draft.isOn && (
            <>
              <Select
                label={t`Which activity sharing is`}
                description={t`Your adviser says. Of goods, small sellers are left out.`}
                data={[...ACTIVITIES]}
                value={draft.activity}
                required
                allowDeselect={false}
                onChange={(activity) => set({ activity })}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label={t`Reported in`}
                  data={countryChoices(EU)}
                  value={draft.country}
                  required
                  searchable
                  allowDeselect={false}
                  nothingFoundMessage={t`No country found`}
                  onChange={(country) => set({ country })}
                />
                <TextInput
                  {...text(t`Your tax number there`, LIMITS.longestTaxNumber, draft.taxNumber, (taxNumber) =>
                    set({ taxNumber }),
                  )}
                />
              </SimpleGrid>
              <Select
                label={t`Why there`}
                data={[...NEXUS]}
                value={draft.nexus}
                required
                allowDeselect={false}
                onChange={(nexus) => set({ nexus })}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  {...text(
                    t`What people call the site`,
                    LIMITS.longestAddressLine,
                    draft.platform,
                    (platform) => set({ platform }),
                  )}
                />
                <NumberInput
                  label={t`From the year`}
                  value={draft.firstYear}
                  min={2023}
                  max={2200}
                  required
                  hideControls
                  onChange={(year) => typeof year === 'number' && set({ firstYear: year })}
                />
              </SimpleGrid>
              <Text size="sm" c="dimmed">
                {t`Your name and address are those given above.`}
              </Text>
              <Switch
                label={t`The convenience fee is one of the owner’s fees`}
                description={t`Members pay it on top of the share. Ask your adviser.`}
                checked={draft.reportsFee}
                onChange={({ currentTarget }) => set({ reportsFee: currentTarget.checked })}
              />
            </>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending} disabled={!isChanged}>
              {t`Save report settings`}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  )
}
