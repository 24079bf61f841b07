import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Group, Switch, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import { FEE_DECIMALS, FEE_STEP } from '#domain/fees.ts'
import { takesTwoAdminsQuery } from '#features/money/withdrawals/withdrawals.queries.ts'
import { language } from '#lib/language.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { AmountInput, type AmountInputProps, type TypedAmount } from '#ui/AmountInput.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import { useChangeSettings, useSetTwoAdmins } from './site-settings.mutations.ts'
import { type Settings, siteSettingsQuery } from './site-settings.queries.ts'

/** In percent. */
const MOST_FEE = LIMITS.mostFeeRate * 100

interface SiteSettingsProps {
  mayEdit: boolean
  mayBindStaff: boolean
}

/** The settings of the whole site, and the name of the person who changed them last. */
export function SiteSettings(props: SiteSettingsProps) {
  return (
    <Loaded of={useQuery(siteSettingsQuery)} rows={2} failed={siteSettingsTexts.loadFailed}>
      {(settings) => <SettingsForm settings={settings} {...props} />}
    </Loaded>
  )
}

function SettingsForm({ settings, mayEdit, mayBindStaff }: SiteSettingsProps & { settings: Settings }) {
  const change = useChangeSettings()
  const { data: provider } = useQuery(paymentProviderQuery)
  const {
    reviewNewPlans,
    signUps,
    takesReports,
    askAge,
    adjustmentCeiling,
    requireSecondFactor,
    feeRate,
    admitOnDebit,
    updatedAt,
    updatedBy,
  } = settings
  return (
    <SectionCard titleId="settings-title" title={t`Site settings`} gap="lg" maw={640}>
      <SettingSwitch
        label={t`Review new plans`}
        description={t`New plans stay hidden until staff approve them.`}
        on={reviewNewPlans}
        disabled={!mayEdit}
        onChange={(on) => change.mutate({ reviewNewPlans: on })}
      />
      <SignUpSetting signUps={signUps} disabled={!mayEdit} />
      <SettingSwitch
        label={t`Take reports`}
        description={t`Anyone can report plans, people and what they write, even without an account. In the EU the law asks this of sites that others can see; a site for friends can do without.`}
        on={takesReports}
        disabled={!mayEdit}
        onChange={(on) => change.mutate({ takesReports: on })}
      />
      <SettingSwitch
        label={t`Ask people to confirm their age`}
        description={t`Once, before they share a plan or pay through the site, they say that they’re at least ${LIMITS.leastAge}.`}
        on={askAge}
        disabled={!mayEdit}
        onChange={(on) => change.mutate({ askAge: on })}
      />
      <SettingSwitch
        label={t`Require a second factor`}
        description={t`Staff must sign in with an authenticator app or a passkey.`}
        on={requireSecondFactor}
        disabled={!mayEdit || !mayBindStaff}
        onChange={(on) => change.mutate({ requireSecondFactor: on })}
      />
      <TwoAdmins until={settings.twoAdminsUntil} disabled={!mayEdit || !mayBindStaff} />
      {provider?.methods.includes('sepa_debit') && (
        <SettingSwitch
          label={t`Admit members while their bank is debited`}
          description={t`A debit takes up to ${LIMITS.debitWorkingDays} working days. If it fails, the place closes, and the time until then is not paid.`}
          on={admitOnDebit}
          disabled={!mayEdit}
          onChange={(on) => change.mutate({ admitOnDebit: on })}
        />
      )}
      <NumberSetting
        key={`fee ${feeRate}`}
        label={t`Convenience fee`}
        rightSection="%"
        description={t`In percent, on top of what members pay through the site. Applies to new plans only.`}
        value={Number((feeRate * 100).toFixed(FEE_DECIMALS))}
        // The database applies the same rule.
        isValid={(percent) => percent >= 0 && percent <= MOST_FEE && Number.isInteger(percent / FEE_STEP)}
        error={t`Please enter a percentage from 0 to ${MOST_FEE}, in steps of ${FEE_STEP.toLocaleString(language)}`}
        save={t`Save fee`}
        decimals={FEE_DECIMALS}
        disabled={!mayEdit}
        busy={change.isPending}
        onSave={(percent) => change.mutate({ feeRate: percent / 100 })}
      />
      <NumberSetting
        key={`ceiling ${adjustmentCeiling}`}
        label={t`Maximum per adjustment`}
        description={t`The most coins an admin can add or remove at once.`}
        value={adjustmentCeiling}
        isValid={(amount) => amount > 0 && amount <= LIMITS.mostCoins}
        error={t`Please enter an amount above zero`}
        save={t`Save maximum`}
        fixed
        disabled={!mayEdit || !mayBindStaff}
        busy={change.isPending}
        onSave={(amount) => change.mutate({ adjustmentCeiling: amount })}
      />
      <Text size="sm" c="dimmed" component="div">
        {!mayEdit && <div>{siteSettingsTexts.notAllowed}.</div>}
        {updatedBy !== null && (
          <div>
            <Trans>
              Last changed <RelativeDate date={updatedAt} /> by <bdi>{updatedBy}</bdi>.
            </Trans>
          </div>
        )}
        <div>{t`More settings are under development.`}</div>
      </Text>
    </SectionCard>
  )
}

/** Says who may create an account: everyone, or only invited people. */
export function SignUpSetting({ signUps, disabled }: { signUps: Settings['signUps']; disabled: boolean }) {
  const change = useChangeSettings()
  return (
    <SettingSwitch
      label={t`Only invited people can sign up`}
      description={t`A new account needs an open invitation to a plan, sent to its address.`}
      on={signUps === 'invited'}
      disabled={disabled}
      onChange={(on) => change.mutate({ signUps: on ? 'invited' : 'everyone' })}
    />
  )
}

/**
 * Requires two admins for a withdrawal: one approves, another completes. Turning this off takes effect later, at the
 * time shown at the switch.
 */
function TwoAdmins({ until, disabled }: { until: string | null; disabled: boolean }) {
  const change = useSetTwoAdmins()
  const { data: takesTwo = true } = useQuery(takesTwoAdminsQuery)
  return (
    <SettingSwitch
      label={t`Two admins per withdrawal`}
      description={
        until === null
          ? t`One admin approves it, another completes it. Turning this off emails all super-admins and takes effect after ${LIMITS.twoAdminsNoticeHours} hours.`
          : takesTwo
            ? t`Turns off on ${fullDate(until)}. Turn it on to cancel.`
            : t`One admin can approve and complete it, but never their own, nor that of a person whose wallet they adjusted or for whom they decided a problem.`
      }
      // Super-admins see the latest choice, which they can undo; others see the rule in force.
      on={disabled ? takesTwo : until === null}
      disabled={disabled || change.isPending}
      onChange={(on) => change.mutate(on)}
    />
  )
}

interface SettingSwitchProps {
  label: string
  description: string
  on: boolean
  disabled: boolean
  onChange: (on: boolean) => void
}

/** A switch. If disabled, its label says whether it is on, since that is hard to see. */
function SettingSwitch({ label, description, on, disabled, onChange }: SettingSwitchProps) {
  return (
    <Switch
      label={disabled ? (on ? t`${label}: on` : t`${label}: off`) : label}
      description={description}
      checked={on}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

interface NumberSettingProps
  extends Pick<AmountInputProps, 'label' | 'description' | 'rightSection' | 'decimals' | 'fixed'> {
  value: number
  isValid: (value: number) => boolean
  /** The message for an invalid number. */
  error: string
  /** The label of the save button. */
  save: string
  disabled: boolean
  busy: boolean
  onSave: (value: number) => void
}

function NumberSetting(props: NumberSettingProps) {
  const { value, isValid, error, save, disabled, busy, onSave, ...field } = props
  const [typed, setTyped] = useState<TypedAmount>(value)
  const wanted = typed === '' ? Number.NaN : typed
  const valid = isValid(wanted)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (valid && wanted !== value && !busy) onSave(wanted)
      }}
    >
      <AmountInput
        {...field}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        // Aligns the button with the field itself, not with the label or the messages.
        inputContainer={(input) => (
          <Group gap="sm" align="flex-start">
            <Box flex="1 1 8rem">{input}</Box>
            {!disabled && (
              <Button type="submit" loading={busy} disabled={!valid || wanted === value}>
                {save}
              </Button>
            )}
          </Group>
        )}
        disabled={disabled}
        value={typed}
        onChange={setTyped}
        error={!valid && error}
      />
    </form>
  )
}
