import { t } from '@lingui/core/macro'
import {
  Button,
  Input,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { AmountInput } from '#ui/AmountInput.tsx'
import classes from './OfferedPlanFields.module.css'
import type { RequestValues } from './provider-request-values.ts'

const CYCLES = [
  { value: 'monthly', label: t`Monthly` },
  { value: 'yearly', label: t`Yearly` },
]

interface OfferedPlanFieldsProps {
  form: UseFormReturnType<RequestValues>
  /** The plan's position in the list, from 0. */
  index: number
  /** Undefined if it is the only plan, which cannot be removed. */
  onRemove: (() => void) | undefined
}

/** The fields of one plan that the missing provider sells. */
export function OfferedPlanFields({ form, index, onRemove }: OfferedPlanFieldsProps) {
  const name = t`Plan ${index + 1}`
  const at = `plans.${index}` as const
  const { value = '', ...price } = form.getInputProps(`${at}.price`)
  return (
    <fieldset className={classes.plan} aria-label={name}>
      {onRemove && (
        <div className={classes.head}>
          <Text fw={650}>{name}</Text>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={18} aria-hidden />}
            aria-label={t`Remove plan ${index + 1}`}
            onClick={onRemove}
          >
            {t`Remove`}
          </Button>
        </div>
      )}
      <Stack gap="md">
        <TextInput
          label={t`Plan name`}
          placeholder={t`Family`}
          withAsterisk
          {...form.getInputProps(`${at}.name`)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <AmountInput
            label={t`Price`}
            description={t`For the whole plan, in euros`}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            leftSection="€"
            withAsterisk
            {...price}
            value={value}
          />
          <NumberInput
            label={t`Max members`}
            description={t`How many people it covers`}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            allowDecimal={false}
            hideControls
            withAsterisk
            {...form.getInputProps(`${at}.maxMembers`)}
          />
        </SimpleGrid>
        <Input.Wrapper
          label={t`Billing cycle`}
          labelElement="div"
          size="md"
          classNames={{ label: classes.label }}
        >
          <SegmentedControl
            className={classes.cycle}
            size="md"
            data={CYCLES}
            aria-label={t`Billing cycle of plan ${index + 1}`}
            {...form.getInputProps(`${at}.cycle`)}
          />
        </Input.Wrapper>
        <Textarea
          label={t`Features (optional)`}
          description={t`One per line`}
          placeholder={t`4K video
4 screens at once`}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps(`${at}.features`)}
        />
      </Stack>
    </fieldset>
  )
}
