import { t } from '@lingui/core/macro'
import { Button, Card, Input, Select, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { LIMITS } from '@potluck/supabase/limits'
import { IconPlus } from '@tabler/icons-react'
import { Sections } from '#ui/Sections.tsx'
import { OfferedPlanFields } from './OfferedPlanFields.tsx'
import {
  type NewProviderRequest,
  providerRequestSchema,
  REQUEST_CATEGORIES,
  type RequestCategory,
  requestCategoryName,
} from './provider-request.schema.ts'
import { emptyPlan, emptyRequest, type RequestValues } from './provider-request-values.ts'

interface ProviderRequestFormProps {
  /** The preselected category, if the person came from a category. */
  category: RequestCategory | null
  busy: boolean
  onSend: (values: NewProviderRequest) => void
}

/** The form to request a provider that the catalogue lacks, with its plans. */
export function ProviderRequestForm({ category, busy, onSend }: ProviderRequestFormProps) {
  const form = useForm<RequestValues>({
    initialValues: emptyRequest(category),
    validate: schemaResolver(providerRequestSchema, { sync: true }),
  })
  const { plans } = form.values
  const send = form.onSubmit(
    (values) => onSend(providerRequestSchema.parse(values)),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <Sections>
          <Card>
            <Stack gap="md">
              <TextInput label={t`Provider name`} withAsterisk {...form.getInputProps('providerName')} />
              <Select
                label={t`Category`}
                placeholder={t`Choose one`}
                data={REQUEST_CATEGORIES.map((value) => ({ value, label: requestCategoryName(value) }))}
                withAsterisk
                {...form.getInputProps('category')}
              />
              <TextInput
                label={t`Website`}
                type="url"
                inputMode="url"
                placeholder="https://example.com"
                withAsterisk
                {...form.getInputProps('website')}
              />
              <Textarea
                label={t`Description`}
                placeholder={t`What it offers and why people would share it`}
                autosize
                minRows={3}
                maxRows={10}
                withAsterisk
                {...form.getInputProps('description')}
              />
            </Stack>
          </Card>
          <Card>
            <Title order={2} size="h3" mb="xs">
              {t({ message: 'Plans', context: 'what a provider sells' })}
            </Title>
            <Stack gap="md">
              {plans.map(({ key }, index) => (
                <OfferedPlanFields
                  key={key}
                  form={form}
                  index={index}
                  onRemove={plans.length > 1 ? () => form.removeListItem('plans', index) : undefined}
                />
              ))}
              {form.errors.plans && <Input.Error>{form.errors.plans}</Input.Error>}
              <Button
                variant="default"
                leftSection={<IconPlus size={18} aria-hidden />}
                disabled={plans.length >= LIMITS.mostRequestedPlans}
                onClick={() => form.insertListItem('plans', emptyPlan())}
              >
                {t`Add another plan`}
              </Button>
            </Stack>
          </Card>
        </Sections>
        <Button type="submit" loading={busy} w={{ base: '100%', xs: 'fit-content' }} ms="auto">
          {t`Submit Request`}
        </Button>
      </Stack>
    </form>
  )
}
