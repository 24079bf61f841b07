import { Button, Group, NumberInput, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import { useChangeSettings } from './site-settings.mutations.ts'
import { siteSettingsQuery } from './site-settings.queries.ts'

/** What holds for the whole site, to change for whoever may, and who changed it last. */
export function SiteSettings({ mayEdit, maySetCeiling }: { mayEdit: boolean; maySetCeiling: boolean }) {
  const settings = useQuery(siteSettingsQuery)
  const change = useChangeSettings()
  if (settings.isPending) return <RowsSkeleton rows={2} />
  if (!settings.data)
    return (
      <LoadAlert
        title={siteSettingsTexts.loadFailed}
        problem={settings.error}
        onRetry={() => void settings.refetch()}
      />
    )
  const { reviewNewPlans, adjustmentCeiling, updatedAt, updatedBy } = settings.data
  return (
    <SurfaceCard component="section" aria-labelledby="settings-title" maw={640}>
      <Stack gap="lg">
        <Title order={2} id="settings-title">
          Site settings
        </Title>
        <Switch
          label={mayEdit ? 'Review new plans' : `Review new plans: ${reviewNewPlans ? 'on' : 'off'}`}
          description="A new plan waits until staff approve it. Until then only its owner and staff see it."
          checked={reviewNewPlans}
          disabled={!mayEdit}
          onChange={({ currentTarget: { checked } }) => change.mutate({ reviewNewPlans: checked })}
        />
        <CeilingForm
          key={adjustmentCeiling}
          ceiling={adjustmentCeiling}
          disabled={!mayEdit || !maySetCeiling}
          busy={change.isPending}
          onSave={(amount) => change.mutate({ adjustmentCeiling: amount })}
        />
        <Text size="sm" c="dimmed" component="div">
          {!mayEdit && <div>{siteSettingsTexts.notAllowed}.</div>}
          {updatedBy !== null && (
            <div>
              Last changed <RelativeDate date={updatedAt} /> by <bdi>{updatedBy}</bdi>.
            </div>
          )}
          <div>More settings are under development.</div>
        </Text>
      </Stack>
    </SurfaceCard>
  )
}

interface CeilingFormProps {
  /** In coins. */
  ceiling: number
  disabled: boolean
  busy: boolean
  onSave: (ceiling: number) => void
}

function CeilingForm({ ceiling, disabled, busy, onSave }: CeilingFormProps) {
  // As typed: empty and unfinished amounts are texts.
  const [typed, setTyped] = useState<number | string>(ceiling)
  const amount = typed === '' ? Number.NaN : Number(typed)
  const valid = amount > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (valid && amount !== ceiling && !busy) onSave(amount)
      }}
    >
      <Group align="flex-start" gap="sm">
        <NumberInput
          label="Ceiling per adjustment"
          description="The most coins that an admin can add to a wallet, or take from it, at once."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          allowedDecimalSeparators={['.', ',']}
          allowNegative={false}
          decimalScale={2}
          fixedDecimalScale
          // What the database can hold.
          max={9_999_999_999.99}
          clampBehavior="strict"
          hideControls
          disabled={disabled}
          value={typed}
          onChange={setTyped}
          error={!valid && 'Please enter an amount above zero'}
          flex="1 1 180px"
        />
        {!disabled && (
          <Button type="submit" mt={25} loading={busy} disabled={!valid || amount === ceiling}>
            Save
          </Button>
        )}
      </Group>
    </form>
  )
}
