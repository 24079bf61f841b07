import { plural } from '@lingui/core/macro'
import { Checkbox } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'

interface BeginAtOnceProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A required checkbox with which the person asks for their place to begin before the withdrawal period has ended. */
export const BeginAtOnce = ({ checked, onChange }: BeginAtOnceProps) => (
  <Checkbox
    required
    label={plural(LIMITS.contractWithdrawalPeriodHours / 24, {
      one: 'Please begin at once. I know that, if I withdraw within # day, I pay for the days I had access.',
      other:
        'Please begin at once. I know that, if I withdraw within # days, I pay for the days I had access.',
    })}
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)
