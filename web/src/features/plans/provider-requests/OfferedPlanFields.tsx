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
import classes from './OfferedPlanFields.module.css'
import type { RequestValues } from './provider-request-values.ts'

const CYCLES = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
]

interface OfferedPlanFieldsProps {
  form: UseFormReturnType<RequestValues>
  /** The plan's position in the list, from 0. */
  index: number
  /** Undefined while it is the only plan. */
  onRemove: (() => void) | undefined
}

/** The fields of one plan that the missing provider sells. */
export function OfferedPlanFields({ form, index, onRemove }: OfferedPlanFieldsProps) {
  const name = `Plan ${index + 1}`
  const at = `plans.${index}` as const
  return (
    <fieldset className={classes.plan} aria-label={name}>
      <div className={classes.head}>
        <Text fw={650}>{name}</Text>
        {onRemove && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={18} aria-hidden />}
            aria-label={`Remove plan ${index + 1}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </div>
      <Stack gap="md">
        <TextInput
          label="Plan name"
          placeholder="Family"
          withAsterisk
          {...form.getInputProps(`${at}.name`)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NumberInput
            label="Price"
            description="For the whole plan, in euros"
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            prefix="€"
            decimalScale={2}
            hideControls
            withAsterisk
            {...form.getInputProps(`${at}.price`)}
          />
          <NumberInput
            label="Max members"
            description="How many people it covers"
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            allowDecimal={false}
            hideControls
            withAsterisk
            {...form.getInputProps(`${at}.maxMembers`)}
          />
        </SimpleGrid>
        <Input.Wrapper
          label="Billing cycle"
          labelElement="div"
          size="md"
          classNames={{ label: classes.label }}
        >
          <SegmentedControl
            className={classes.cycle}
            size="md"
            data={CYCLES}
            aria-label={`Billing cycle of plan ${index + 1}`}
            {...form.getInputProps(`${at}.cycle`)}
          />
        </Input.Wrapper>
        <Textarea
          label="Features (optional)"
          description="One per line"
          placeholder={'4K video\n4 screens at once'}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps(`${at}.features`)}
        />
      </Stack>
    </fieldset>
  )
}
