import type * as t from 'typebox'

/** HTML attributes of a control, derived from its schema: the maximum length of a text, the range of a number. */
export function limitsOf(schema: t.TSchema): {
  required?: boolean
  maxLength?: number
  min?: number
  max?: number
} {
  if (schema.type === 'string') return { required: schema.minLength > 0, maxLength: schema.maxLength }
  return schema.type === 'integer' ? { min: schema.minimum, max: schema.maximum } : {}
}

/** These attributes, with the control's name and the schema's title as its label. */
export function inputFor(name: string, schema: t.TSchema) {
  return { name, label: schema.title ?? name, ...limitsOf(schema) }
}
