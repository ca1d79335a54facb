// \0rolldown/runtime.js
var __defProp = Object.defineProperty, __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
}, __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: !0
	});
	return no_symbols || __defProp(target, Symbol.toStringTag, { value: "Module" }), target;
};
// node_modules/valibot/dist/index.mjs
/**
* Returns the global configuration.
*
* @param config The config to merge.
*
* @returns The configuration.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalConfig(config$1) {
	return !config$1 && !store$4 ? DEFAULT_CONFIG : {
		lang: config$1?.lang ?? store$4?.lang,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? store$4?.abortEarly,
		abortPipeEarly: config$1?.abortPipeEarly ?? store$4?.abortPipeEarly
	};
}
/**
* Returns a global error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalMessage(lang) {
	return store$3?.get(lang);
}
/**
* Returns a schema error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSchemaMessage(lang) {
	return store$2?.get(lang);
}
/**
* Returns a specific error message.
*
* @param reference The identifier reference.
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSpecificMessage(reference, lang) {
	return store$1?.get(reference)?.get(lang);
}
/**
* Stringifies an unknown input to a literal or type string.
*
* @param input The unknown input.
*
* @returns A literal or type string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _stringify(input) {
	let type = typeof input;
	return type === "string" ? `"${input}"` : type === "number" || type === "bigint" || type === "boolean" ? `${input}` : type === "object" || type === "function" ? (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null" : type;
}
/**
* Adds an issue to the dataset.
*
* @param context The issue context.
* @param label The issue label.
* @param dataset The input dataset.
* @param config The configuration.
* @param other The optional props.
*
* @internal
*/
function _addIssue(context, label, dataset, config$1, other) {
	let input = other && "input" in other ? other.input : dataset.value, expected = other?.expected ?? context.expects ?? null, received = other?.received ?? /* @__PURE__ */ _stringify(input), issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	}, isSchema = context.kind === "schema", message$1 = other?.message ?? context.message ?? /* @__PURE__ */ getSpecificMessage(context.reference, issue.lang) ?? (isSchema ? /* @__PURE__ */ getSchemaMessage(issue.lang) : null) ?? config$1.message ?? /* @__PURE__ */ getGlobalMessage(issue.lang);
	message$1 !== void 0 && (issue.message = typeof message$1 == "function" ? message$1(issue) : message$1), isSchema && (dataset.typed = !1), dataset.issues ? dataset.issues.push(issue) : dataset.issues = [issue];
}
/**
* Compares two values using the SameValueZero algorithm, which treats `NaN`
* as equal to itself unlike `===`.
*
* @param value1 The first value.
* @param value2 The second value.
*
* @returns Whether the values are equal.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isSameValueZero(value1, value2) {
	return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
}
/**
* Disallows inherited object properties and prevents object prototype
* pollution by disallowing certain keys.
*
* @param object The object to check.
* @param key The key to check.
*
* @returns Whether the key is allowed.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isValidObjectKey(object$1, key) {
	return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
}
/**
* Joins multiple `expects` values with the given separator.
*
* @param values The `expects` values.
* @param separator The separator.
*
* @returns The joined `expects` property.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _joinExpects(values$1, separator) {
	let list = [...new Set(values$1)];
	return list.length > 1 ? `(${list.join(` ${separator} `)})` : list[0] ?? "never";
}
/**
* Eagerly creates and attaches the Standard Schema properties of a schema.
*
* Hint: The contextual `this` type includes the standard properties that are
* attached before the schema is returned.
*
* @param schema The schema to attach standard properties to.
*
* @returns The schema with standard properties attached.
*
* @internal
*/
function _standardSchema(schema) {
	return schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
	}, schema;
}
/* @__NO_SIDE_EFFECTS__ */
function integer(message$1) {
	return {
		kind: "validation",
		type: "integer",
		reference: integer,
		async: !1,
		expects: null,
		requirement: Number.isInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			return dataset.typed && !this.requirement(dataset.value) && _addIssue(this, "integer", dataset, config$1), dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function maxValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_value",
		reference: maxValue,
		async: !1,
		expects: `<=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			return dataset.typed && !(dataset.value <= this.requirement) && _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) }), dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function minValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_value",
		reference: minValue,
		async: !1,
		expects: `>=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			return dataset.typed && !(dataset.value >= this.requirement) && _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) }), dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function readonly() {
	return {
		kind: "transformation",
		type: "readonly",
		reference: readonly,
		async: !1,
		"~run"(dataset) {
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function regex(requirement, message$1) {
	return {
		kind: "validation",
		type: "regex",
		reference: regex,
		async: !1,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			return dataset.typed && !this.requirement.test(dataset.value) && _addIssue(this, "format", dataset, config$1), dataset;
		}
	};
}
/**
* Returns the fallback value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The output dataset if available.
* @param config The config if available.
*
* @returns The fallback value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback == "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
/**
* Returns the default value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The input dataset if available.
* @param config The config if available.
*
* @returns The default value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefault(schema, dataset, config$1) {
	return typeof schema.default == "function" ? schema.default(dataset, config$1) : schema.default;
}
/* @__NO_SIDE_EFFECTS__ */
function array(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: array,
		expects: "Array",
		async: !1,
		item,
		message: message$1,
		"~run"(dataset, config$1) {
			let input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = !0, dataset.value = [];
				for (let key = 0; key < input.length; key++) {
					let value$1 = input[key], itemDataset = this.item["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						let pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (let issue of itemDataset.issues) issue.path ? issue.path.unshift(pathItem) : issue.path = [pathItem], dataset.issues?.push(issue);
						if (dataset.issues ||= itemDataset.issues, config$1.abortEarly) {
							dataset.typed = !1;
							break;
						}
					}
					itemDataset.typed || (dataset.typed = !1), dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function boolean(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "boolean",
		reference: boolean,
		expects: "boolean",
		async: !1,
		message: message$1,
		"~run"(dataset, config$1) {
			return typeof dataset.value == "boolean" ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function exactOptional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "exact_optional",
		reference: exactOptional,
		expects: wrapped.expects,
		async: !1,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/**
* Merges two values into one single output.
*
* @param value1 First value.
* @param value2 Second value.
*
* @returns The merge dataset.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _merge(value1, value2) {
	if (typeof value1 == typeof value2) {
		if (/* @__PURE__ */ _isSameValueZero(value1, value2) || value1 instanceof Date && value2 instanceof Date && /* @__PURE__ */ _isSameValueZero(+value1, +value2)) return { value: value1 };
		if (value1 && value2 && value1.constructor === Object && value2.constructor === Object) {
			let nextValue = {
				...value1,
				...value2
			};
			for (let key in value2) if (Object.prototype.hasOwnProperty.call(value1, key) && Object.prototype.hasOwnProperty.call(value2, key)) {
				let dataset = /* @__PURE__ */ _merge(value1[key], value2[key]);
				if (dataset.issue) return dataset;
				nextValue[key] = dataset.value;
			}
			return { value: nextValue };
		}
		if (Array.isArray(value1) && Array.isArray(value2) && value1.length === value2.length) {
			let nextValue = [...value1];
			for (let index = 0; index < value1.length; index++) {
				let dataset = /* @__PURE__ */ _merge(value1[index], value2[index]);
				if (dataset.issue) return dataset;
				nextValue[index] = dataset.value;
			}
			return { value: nextValue };
		}
	}
	return { issue: !0 };
}
/* @__NO_SIDE_EFFECTS__ */
function intersect(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "intersect",
		reference: intersect,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "&"),
		async: !1,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.length) {
				let input = dataset.value, outputs;
				dataset.typed = !0;
				for (let schema of this.options) {
					let optionDataset = schema["~run"]({ value: input }, config$1);
					if (optionDataset.issues) {
						if (dataset.issues) for (let issue of optionDataset.issues) dataset.issues.push(issue);
						else dataset.issues = optionDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = !1;
							break;
						}
					}
					optionDataset.typed || (dataset.typed = !1), dataset.typed && (outputs ? outputs.push(optionDataset.value) : outputs = [optionDataset.value]);
				}
				if (dataset.typed) {
					dataset.value = outputs[0];
					for (let index = 1; index < outputs.length; index++) {
						let mergeDataset = /* @__PURE__ */ _merge(dataset.value, outputs[index]);
						if (mergeDataset.issue) {
							_addIssue(this, "type", dataset, config$1, { received: "unknown" });
							break;
						}
						dataset.value = mergeDataset.value;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function literal(literal_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "literal",
		reference: literal,
		expects: /* @__PURE__ */ _stringify(literal_),
		async: !1,
		literal: literal_,
		message: message$1,
		"~run"(dataset, config$1) {
			return /* @__PURE__ */ _isSameValueZero(dataset.value, this.literal) ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function null_(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "null",
		reference: null_,
		expects: "null",
		async: !1,
		message: message$1,
		"~run"(dataset, config$1) {
			return dataset.value === null ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function nullable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullable,
		expects: `(${wrapped.expects} | null)`,
		async: !1,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			return dataset.value === null && (this.default !== void 0 && (dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1)), dataset.value === null) ? (dataset.typed = !0, dataset) : this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function nullish(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullish",
		reference: nullish,
		expects: `(${wrapped.expects} | null | undefined)`,
		async: !1,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			return (dataset.value === null || dataset.value === void 0) && (this.default !== void 0 && (dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1)), dataset.value === null || dataset.value === void 0) ? (dataset.typed = !0, dataset) : this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function number(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "number",
		reference: number,
		expects: "number",
		async: !1,
		message: message$1,
		"~run"(dataset, config$1) {
			return typeof dataset.value == "number" && !isNaN(dataset.value) ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: !1,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			let input = dataset.value;
			if (input && typeof input == "object") {
				dataset.typed = !0, dataset.value = {};
				for (let key in this.entries) {
					let valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						let value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema), valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							let pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (let issue of valueDataset.issues) issue.path ? issue.path.unshift(pathItem) : issue.path = [pathItem], dataset.issues?.push(issue);
							if (dataset.issues ||= valueDataset.issues, config$1.abortEarly) {
								dataset.typed = !1;
								break;
							}
						}
						valueDataset.typed || (dataset.typed = !1), dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish" && (_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: input[key]
						}]
					}), config$1.abortEarly)) break;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function optional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional,
		expects: `(${wrapped.expects} | undefined)`,
		async: !1,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			return dataset.value === void 0 && (this.default !== void 0 && (dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1)), dataset.value === void 0) ? (dataset.typed = !0, dataset) : this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function picklist(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "picklist",
		reference: picklist,
		expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
		async: !1,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			return this.options.includes(dataset.value) ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function record(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "record",
		reference: record,
		expects: "Object",
		async: !1,
		key,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			let input = dataset.value;
			if (input && typeof input == "object") {
				dataset.typed = !0, dataset.value = {};
				for (let entryKey in input) if (/* @__PURE__ */ _isValidObjectKey(input, entryKey)) {
					let entryValue = input[entryKey], keyDataset = this.key["~run"]({ value: entryKey }, config$1);
					if (keyDataset.issues) {
						let pathItem = {
							type: "object",
							origin: "key",
							input,
							key: entryKey,
							value: entryValue
						};
						for (let issue of keyDataset.issues) issue.path = [pathItem], dataset.issues?.push(issue);
						if (dataset.issues ||= keyDataset.issues, config$1.abortEarly) {
							dataset.typed = !1;
							break;
						}
					}
					let valueDataset = this.value["~run"]({ value: entryValue }, config$1);
					if (valueDataset.issues) {
						let pathItem = {
							type: "object",
							origin: "value",
							input,
							key: entryKey,
							value: entryValue
						};
						for (let issue of valueDataset.issues) issue.path ? issue.path.unshift(pathItem) : issue.path = [pathItem], dataset.issues?.push(issue);
						if (dataset.issues ||= valueDataset.issues, config$1.abortEarly) {
							dataset.typed = !1;
							break;
						}
					}
					keyDataset.typed && valueDataset.typed || (dataset.typed = !1), keyDataset.typed && (dataset.value[keyDataset.value] = valueDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function strictObject(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "strict_object",
		reference: strictObject,
		expects: "Object",
		async: !1,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			let input = dataset.value;
			if (input && typeof input == "object") {
				dataset.typed = !0, dataset.value = {};
				for (let key in this.entries) {
					let valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						let value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema), valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							let pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (let issue of valueDataset.issues) issue.path ? issue.path.unshift(pathItem) : issue.path = [pathItem], dataset.issues?.push(issue);
							if (dataset.issues ||= valueDataset.issues, config$1.abortEarly) {
								dataset.typed = !1;
								break;
							}
						}
						valueDataset.typed || (dataset.typed = !1), dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish" && (_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: input[key]
						}]
					}), config$1.abortEarly)) break;
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (let key in input) if (!Object.prototype.hasOwnProperty.call(this.entries, key)) {
						_addIssue(this, "key", dataset, config$1, {
							input: key,
							expected: "never",
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: !1,
		message: message$1,
		"~run"(dataset, config$1) {
			return typeof dataset.value == "string" ? dataset.typed = !0 : _addIssue(this, "type", dataset, config$1), dataset;
		}
	});
}
/**
* Returns the sub issues of the provided datasets for the union issue.
*
* @param datasets The datasets.
*
* @returns The sub issues.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _subIssues(datasets) {
	let issues;
	if (datasets) for (let dataset of datasets) if (issues) for (let issue of dataset.issues) issues.push(issue);
	else issues = dataset.issues;
	return issues;
}
/* @__NO_SIDE_EFFECTS__ */
function union(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "union",
		reference: union,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "|"),
		async: !1,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			let validDataset, typedDatasets, untypedDatasets;
			for (let schema of this.options) {
				let optionDataset = schema["~run"]({ value: dataset.value }, config$1);
				if (optionDataset.typed) {
					if (optionDataset.issues) typedDatasets ? typedDatasets.push(optionDataset) : typedDatasets = [optionDataset];
					else {
						validDataset = optionDataset;
						break;
					}
				} else untypedDatasets ? untypedDatasets.push(optionDataset) : untypedDatasets = [optionDataset];
			}
			if (validDataset) return validDataset;
			if (typedDatasets) {
				if (typedDatasets.length === 1) return typedDatasets[0];
				_addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(typedDatasets) }), dataset.typed = !0;
			} else if (untypedDatasets?.length === 1) return untypedDatasets[0];
			else _addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(untypedDatasets) });
			return dataset;
		}
	});
}
/**
* Creates a unknown schema.
*
* @returns A unknown schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function unknown$1() {
	return _standardSchema({
		kind: "schema",
		type: "unknown",
		reference: unknown$1,
		expects: "unknown",
		async: !1,
		"~run"(dataset) {
			return dataset.typed = !0, dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function variant(key, options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "variant",
		reference: variant,
		expects: "Object",
		async: !1,
		key,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			let input = dataset.value;
			if (input && typeof input == "object") {
				let outputDataset, maxDiscriminatorPriority = 0, invalidDiscriminatorKey = this.key, expectedDiscriminators = [], parseOptions = (variant$1, allKeys) => {
					for (let schema of variant$1.options) {
						if (schema.type === "variant") parseOptions(schema, new Set(allKeys).add(schema.key));
						else {
							let keysAreValid = !0, currentPriority = 0;
							for (let currentKey of allKeys) {
								let discriminatorSchema = schema.entries[currentKey];
								if (currentKey in input ? discriminatorSchema["~run"]({
									typed: !1,
									value: input[currentKey]
								}, ABORT_EARLY_CONFIG).issues : discriminatorSchema.type !== "exact_optional" && discriminatorSchema.type !== "optional" && discriminatorSchema.type !== "nullish") {
									keysAreValid = !1, invalidDiscriminatorKey !== currentKey && (maxDiscriminatorPriority < currentPriority || maxDiscriminatorPriority === currentPriority && currentKey in input && !(invalidDiscriminatorKey in input)) && (maxDiscriminatorPriority = currentPriority, invalidDiscriminatorKey = currentKey, expectedDiscriminators = []), invalidDiscriminatorKey === currentKey && expectedDiscriminators.push(schema.entries[currentKey].expects);
									break;
								}
								currentPriority++;
							}
							if (keysAreValid) {
								let optionDataset = schema["~run"]({ value: input }, config$1);
								(!outputDataset || !outputDataset.typed && optionDataset.typed) && (outputDataset = optionDataset);
							}
						}
						if (outputDataset && !outputDataset.issues) break;
					}
				};
				if (parseOptions(this, /* @__PURE__ */ new Set([this.key])), outputDataset) return outputDataset;
				_addIssue(this, "type", dataset, config$1, {
					input: input[invalidDiscriminatorKey],
					expected: /* @__PURE__ */ _joinExpects(expectedDiscriminators, "|"),
					path: [{
						type: "object",
						origin: "value",
						input,
						key: invalidDiscriminatorKey,
						value: input[invalidDiscriminatorKey]
					}]
				});
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parsed input.
*/
function parse$1(schema, input, config$1) {
	let dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	if (dataset.issues) throw new ValiError(dataset.issues);
	return dataset.value;
}
/**
* Creates a modified copy of an object schema that contains only the selected
* entries.
*
* @param schema The schema to pick from.
* @param keys The selected entries.
*
* @returns An object schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function pick(schema, keys) {
	let entries$1 = {};
	for (let key of keys) entries$1[key] = schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}
/* @__NO_SIDE_EFFECTS__ */
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (let item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = !1;
					break;
				}
				dataset.issues && (config$1.abortEarly || config$1.abortPipeEarly) || (dataset = item["~run"](dataset, config$1));
			}
			return dataset;
		}
	});
}
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
function safeParse(schema, input, config$1) {
	let dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}
var store$4, DEFAULT_CONFIG, store$3, store$2, store$1, ValiError, ABORT_EARLY_CONFIG, init_dist = __esmMin((() => {
	DEFAULT_CONFIG = {
		lang: void 0,
		message: void 0,
		abortEarly: void 0,
		abortPipeEarly: void 0
	}, ValiError = class extends Error {
		/**
		* Creates a Valibot error with useful information.
		*
		* @param issues The error issues.
		*/
		constructor(issues) {
			super(issues[0].message), this.name = "ValiError", this.issues = issues;
		}
	}, ABORT_EARLY_CONFIG = { abortEarly: !0 };
}));
// src/client/admin/answer.ts
init_dist();
/** The payload of every administration mutation, and its selection in a document. */
var answerFields = "errors { code field message }", answerShape$4 = { errors: /* @__PURE__ */ array(/* @__PURE__ */ object({
	code: /* @__PURE__ */ string(),
	field: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	message: /* @__PURE__ */ string()
})) };
// src/client/operation.ts
/** Creates an operation; the shape must agree with the schema's answer. */
function operation$1(document, shape) {
	let source = String(document), [, kind, name = ""] = /^(query|mutation) (\w+)/.exec(source) ?? [];
	return {
		kind: kind === "mutation" ? "mutation" : "query",
		name,
		source,
		shape
	};
}
var graphql, checklistFields, checklistShape, conflictShape, init_operation = __esmMin((() => {
	init_dist(), graphql = ((source) => source), checklistFields = "issueId epoch seq hash name text source", checklistShape = /* @__PURE__ */ object({
		issueId: /* @__PURE__ */ string(),
		epoch: /* @__PURE__ */ string(),
		seq: /* @__PURE__ */ number(),
		hash: /* @__PURE__ */ string(),
		name: /* @__PURE__ */ string(),
		text: /* @__PURE__ */ string(),
		source: /* @__PURE__ */ picklist([
			"PROPERTY",
			"FIELD",
			"REVISION",
			"NONE"
		])
	}), conflictShape = /* @__PURE__ */ object({
		row: /* @__PURE__ */ string(),
		attribute: /* @__PURE__ */ string(),
		mine: /* @__PURE__ */ string(),
		theirs: /* @__PURE__ */ string()
	});
})), operations, operation, init_recorded = __esmMin((() => {
	init_operation(), init_operation(), operations = [], operation = (document, shape) => {
		let made = operation$1(document, shape);
		return operations.push(made), made;
	};
}));
init_dist(), init_recorded();
var tokenFields = "id name scope projectIds account until used", tokenShape = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string(),
	scope: /* @__PURE__ */ picklist(["READ", "WRITE"]),
	/** Empty for the whole site. */
	projectIds: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	/** The account that created it. */
	account: /* @__PURE__ */ string(),
	/** ISO times; `null` where it never expires, or was not used yet. */
	until: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	used: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
});
// src/client/admin/shapes.ts
operation(graphql(`query getApiTokens { apiUrl apiTokens { ${tokenFields} } }`), /* @__PURE__ */ object({
	apiUrl: /* @__PURE__ */ string(),
	apiTokens: /* @__PURE__ */ array(tokenShape)
})), operation(graphql(`mutation createApiToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) { secret token { ${tokenFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ createApiToken: /* @__PURE__ */ object({
	secret: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	token: /* @__PURE__ */ nullable(tokenShape),
	...answerShape$4
}) })), operation(graphql(`mutation revokeApiToken($id: ID!) {
    revokeApiToken(id: $id) { tokens { ${tokenFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ revokeApiToken: /* @__PURE__ */ object({
	tokens: /* @__PURE__ */ nullable(/* @__PURE__ */ array(tokenShape)),
	...answerShape$4
}) })), init_dist();
/** Selections and shapes of templates and rules, shared by several operations. */
var templateFields = "id projectId name text itemCount isDefault isGettingStarted updated", templateShape = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	/** The template's project; `null` for the whole site. */
	projectId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	name: /* @__PURE__ */ string(),
	text: /* @__PURE__ */ string(),
	itemCount: /* @__PURE__ */ number(),
	isDefault: /* @__PURE__ */ boolean(),
	isGettingStarted: /* @__PURE__ */ boolean(),
	/** ISO time. */
	updated: /* @__PURE__ */ string()
}), ruleFields = "id templateId templateName projectIds issueTypeIds moment statusIds fieldId enabled", ruleShape$1 = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	templateId: /* @__PURE__ */ string(),
	/** `null` where the template is deleted. */
	templateName: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	/** Empty for all projects of the site. */
	projectIds: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	/** Empty for all issue types. */
	issueTypeIds: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	moment: /* @__PURE__ */ picklist([
		"CREATED",
		"MOVED",
		"FIELD_CHANGED"
	]),
	statusIds: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	fieldId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	enabled: /* @__PURE__ */ boolean()
});
init_dist(), init_recorded();
var payloadShape$4 = /* @__PURE__ */ object({
	assignments: /* @__PURE__ */ nullable(/* @__PURE__ */ array(ruleShape$1)),
	...answerShape$4
});
operation(graphql(`query getAssignments($projectId: ID) { templateAssignments(projectId: $projectId) { ${ruleFields} } }`), /* @__PURE__ */ object({ templateAssignments: /* @__PURE__ */ array(ruleShape$1) })), operation(graphql("query previewAssignment($input: TemplateAssignmentPreviewInput!) {\n    templateAssignmentPreview(input: $input) { count issues { id key summary } }\n  }"), /* @__PURE__ */ object({ templateAssignmentPreview: /* @__PURE__ */ object({
	count: /* @__PURE__ */ nullable(/* @__PURE__ */ number()),
	issues: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		key: /* @__PURE__ */ string(),
		summary: /* @__PURE__ */ string()
	}))
}) })), operation(graphql(`mutation createTemplateAssignment($input: TemplateAssignmentInput!) {
    createTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ createTemplateAssignment: payloadShape$4 })), operation(graphql(`mutation updateTemplateAssignment($input: UpdateTemplateAssignmentInput!) {
    updateTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateTemplateAssignment: payloadShape$4 })), operation(graphql(`mutation deleteTemplateAssignment($id: ID!) {
    deleteTemplateAssignment(id: $id) { assignments { ${ruleFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ deleteTemplateAssignment: payloadShape$4 })), operation(graphql(`mutation moveTemplateAssignment($input: MoveTemplateAssignmentInput!) {
    moveTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ moveTemplateAssignment: payloadShape$4 }));
// src/domain/messages/failures.ts
var unknown, init_failures = __esmMin((() => {
	unknown = "Something went wrong.";
})), tracker, server, init_unreachable = __esmMin((() => {
	tracker = "Jira didn't answer.", server = "The server didn't answer.";
})), init_messages = __esmMin((() => {
	init_failures(), init_unreachable();
}));
init_dist(), init_recorded(), operation(graphql(`query getChecklist($issueId: ID!) {
    checklist(issueId: $issueId) { ${checklistFields} copyPending }
  }`), /* @__PURE__ */ object({ checklist: /* @__PURE__ */ object({
	...checklistShape.entries,
	copyPending: /* @__PURE__ */ optional(/* @__PURE__ */ boolean(), !1)
}) }));
var payloadFields = `
  checklist { ${checklistFields} }
  conflicts { row attribute mine theirs }
  notices
  errors { code field message }
`, payloadShape$3 = /* @__PURE__ */ object({
	checklist: /* @__PURE__ */ nullable(checklistShape),
	conflicts: /* @__PURE__ */ array(conflictShape),
	notices: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	errors: /* @__PURE__ */ array(/* @__PURE__ */ object({
		code: /* @__PURE__ */ string(),
		field: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		message: /* @__PURE__ */ string()
	}))
});
operation(graphql(`mutation changeChecklist($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { ${payloadFields} }
  }`), /* @__PURE__ */ object({ changeChecklist: payloadShape$3 }));
// src/client/errors.ts
var ServerError, MutationRefused, init_errors = __esmMin((() => {
	ServerError = class extends Error {
		name = "ServerError";
		status;
		constructor(status, message) {
			super(message), this.status = status;
		}
	}, MutationRefused = class extends Error {
		name = "MutationRefused";
		code;
		field;
		constructor(code, field, message) {
			super(message), this.code = code, this.field = field;
		}
	};
}));
// src/domain/shape.ts
/** Parses an outside value by a shape; `undefined` where it does not match. */
function readAs(shape, value) {
	let parsed = /* @__PURE__ */ safeParse(shape, value);
	return parsed.success ? parsed.output : void 0;
}
/** Parses JSON; `undefined` for an invalid text. */
function readJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
var init_shape = __esmMin((() => {
	init_dist();
})), build, init_build = __esmMin((() => {
	build = {
		edition: "pro",
		version: "4.29.0",
		platform: "cloud",
		development: !0,
		limits: {}
	}, `${build.version}`, build.development;
}));
// src/domain/edition.ts
/** The edition of a build, with overridden limits for the Free edition. */
function editionOf({ edition: id, development, limits }) {
	let traits = editions[id], held = id === "free" ? {
		...traits.limits,
		...limits
	} : traits.limits;
	return {
		id,
		key: editionKey(id, development),
		...traits,
		limits: held
	};
}
var unlimited, editions, editionKey, edition, init_edition = __esmMin((() => {
	init_build(), {POSITIVE_INFINITY: unlimited} = Number, editions = {
		free: {
			name: "Smart Checklist Free",
			label: "Checklist Free",
			logo: "logo-free.svg",
			limits: {
				globalTemplates: 5,
				projectTemplates: 5,
				itemsPerChecklist: 20
			}
		},
		pro: {
			name: "Smart Checklist Pro",
			label: "Checklist",
			logo: "logo-pro.svg",
			limits: {
				globalTemplates: unlimited,
				projectTemplates: unlimited,
				itemsPerChecklist: unlimited
			}
		}
	}, editionKey = (id, development) => `app.smart-checklist.${id}${development ? "_development" : ""}`, edition = editionOf(build);
})), storageKey, init_storage = __esmMin((() => {
	init_dist(), init_edition(), storageKey = (thing, addonKey = edition.key) => `${addonKey}.${thing}`;
})), init_call = __esmMin((() => {
	init_errors();
})), init_issues = __esmMin((() => {
	init_dist(), init_call();
}));
init_dist(), init_errors(), init_recorded(), init_issues(), operation(graphql("query getGettingStarted { gettingStarted { hasChecklist hasTemplate templateId templateName } }"), /* @__PURE__ */ object({ gettingStarted: /* @__PURE__ */ object({
	hasChecklist: /* @__PURE__ */ boolean(),
	hasTemplate: /* @__PURE__ */ boolean(),
	/** The template that the site starts with, if chosen and not deleted. */
	templateId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	templateName: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
}) })), init_dist(), init_recorded();
var jobFields = "id state total seen done failed ended log { issue message }", jobShape = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	state: /* @__PURE__ */ picklist([
		"QUEUED",
		"RUNNING",
		"DONE",
		"FAILED",
		"CANCELLED"
	]),
	total: /* @__PURE__ */ nullable(/* @__PURE__ */ number()),
	seen: /* @__PURE__ */ number(),
	done: /* @__PURE__ */ number(),
	failed: /* @__PURE__ */ number(),
	ended: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	log: /* @__PURE__ */ array(/* @__PURE__ */ object({
		issue: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		message: /* @__PURE__ */ string()
	}))
}), inheritanceShape = /* @__PURE__ */ nullable(/* @__PURE__ */ object({
	ended: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	job: /* @__PURE__ */ nullable(jobShape)
}));
operation(graphql(`query getInheritance { inheritance { ended job { ${jobFields} } } }`), /* @__PURE__ */ object({ inheritance: inheritanceShape })), operation(graphql(`mutation inheritChecklists { inheritChecklists { job { ${jobFields} } ${answerFields} } }`), /* @__PURE__ */ object({ inheritChecklists: /* @__PURE__ */ object({
	job: /* @__PURE__ */ nullable(jobShape),
	...answerShape$4
}) }));
// src/domain/automation/notifications.ts
/** What a person is notified about: nothing; own items and mentions; also items that the person assigned to others. */
var notifyModes = [
	"OFF",
	"MINE",
	"ALL"
];
init_dist(), init_recorded();
var settingsShape$1 = /* @__PURE__ */ object({
	mode: /* @__PURE__ */ picklist(notifyModes),
	muted: /* @__PURE__ */ boolean()
});
operation(graphql("query getNotifications($issueId: ID) { notificationSettings(issueId: $issueId) { mode muted } }"), /* @__PURE__ */ object({ notificationSettings: settingsShape$1 })), operation(graphql(`mutation chooseNotifications($mode: NotifyMode!) {
    updateNotificationSettings(mode: $mode) { settings { mode muted } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateNotificationSettings: /* @__PURE__ */ object({
	settings: /* @__PURE__ */ nullable(settingsShape$1),
	...answerShape$4
}) })), operation(graphql(`mutation muteNotifications($issueId: ID!, $muted: Boolean!) {
    muteNotifications(issueId: $issueId, muted: $muted) { settings { mode muted } ${answerFields} }
  }`), /* @__PURE__ */ object({ muteNotifications: /* @__PURE__ */ object({
	settings: /* @__PURE__ */ nullable(settingsShape$1),
	...answerShape$4
}) }));
// src/domain/pages.ts
var pages, surfaces, isSurface, dialogs, places, init_pages = __esmMin((() => {
	pages = {
		project: {
			key: "project-settings",
			path: "/project"
		},
		hierarchy: {
			key: "smart-hierarchy",
			path: "/smart-hierarchy"
		},
		templatesEditor: {
			key: "smart-templates-editor",
			path: "/smart-templates-editor"
		}
	}, surfaces = [
		"issue-content",
		"issue-context",
		"portal",
		"project-admin",
		"admin",
		"page",
		"dialog",
		"mobile",
		"workflow",
		"gadget"
	], isSurface = (value) => surfaces.includes(value), dialogs = {
		editor: {
			key: "checklist-editor",
			closeOnEscape: !1
		},
		templates: {
			key: "checklist-templates",
			closeOnEscape: !0
		}
	}, places = {
		panel: {
			key: "checklist-content",
			path: "/checklist",
			surface: "issue-content"
		},
		context: {
			key: "checklist-context",
			path: "/checklist",
			surface: "issue-context"
		},
		hierarchyPanel: {
			key: "hierarchy-content",
			path: pages.hierarchy.path,
			surface: "issue-content"
		},
		portal: {
			key: "checklist-portal",
			path: "/checklist",
			surface: "portal"
		},
		project: {
			...pages.project,
			surface: "project-admin"
		},
		assigned: {
			key: "assigned-items",
			path: "/assigned-items",
			surface: "page"
		},
		projectAssigned: {
			key: "project-assigned-items",
			path: "/assigned-items",
			surface: "page"
		},
		hierarchy: {
			...pages.hierarchy,
			surface: "page"
		},
		templatesEditor: {
			...pages.templatesEditor,
			surface: "page"
		},
		site: {
			key: "site-settings",
			path: "/admin",
			surface: "admin"
		},
		configure: {
			key: "configure",
			path: "/admin",
			surface: "admin"
		},
		start: {
			key: "post-install",
			path: "/post-install",
			surface: "admin"
		},
		validator: {
			key: "checklist-validator",
			path: "/workflow-rule",
			surface: "workflow"
		},
		condition: {
			key: "checklist-condition",
			path: "/workflow-rule",
			surface: "workflow"
		},
		gadget: {
			key: "checklist-gadget",
			path: "/gadget",
			surface: "gadget"
		}
	};
})), addonPermissions, permissionKey, hostPermissions, portalModes, init_permissions$1 = __esmMin((() => {
	init_edition(), addonPermissions = {
		addItems: "add-items",
		setStatus: "change-item-statuses",
		deleteItems: "delete-items",
		manage: "manage-checklist",
		view: "view-checklist"
	}, permissionKey = (module, addonKey = edition.key) => `${addonKey}__${module}`, hostPermissions = [
		"BROWSE_PROJECTS",
		"EDIT_ISSUES",
		"ADMINISTER_PROJECTS",
		"ADMINISTER",
		"SYSTEM_ADMIN"
	], [...Object.values(addonPermissions).map((module) => permissionKey(module)), ...hostPermissions], portalModes = [
		"ALL",
		"OFF",
		"SECTIONS"
	];
}));
init_dist(), init_permissions$1(), init_recorded();
var siteFields = "managePermissions viewPermissions analytics gettingStartedTemplateId starterTemplates textField textFieldId fields { id name own }", siteShape = /* @__PURE__ */ intersect([
	/* @__PURE__ */ object({
		managePermissions: /* @__PURE__ */ boolean(),
		viewPermissions: /* @__PURE__ */ boolean(),
		/** Analytics are allowed. */
		analytics: /* @__PURE__ */ boolean(),
		gettingStartedTemplateId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		/** The starter templates are offered. */
		starterTemplates: /* @__PURE__ */ boolean()
	}),
	/* @__PURE__ */ variant("textField", [/* @__PURE__ */ object({
		textField: /* @__PURE__ */ picklist(["OWN", "NONE"]),
		textFieldId: /* @__PURE__ */ null_()
	}), /* @__PURE__ */ object({
		textField: /* @__PURE__ */ literal("CHOSEN"),
		textFieldId: /* @__PURE__ */ string()
	})]),
	/* @__PURE__ */ object({ fields: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		name: /* @__PURE__ */ string(),
		own: /* @__PURE__ */ boolean()
	})) })
]);
operation(graphql(`query getSiteSettings { siteSettings { ${siteFields} } }`), /* @__PURE__ */ object({ siteSettings: siteShape })), operation(graphql(`mutation updateSiteSettings($input: UpdateSiteSettingsInput!) {
    updateSiteSettings(input: $input) { settings { ${siteFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateSiteSettings: /* @__PURE__ */ object({
	settings: /* @__PURE__ */ nullable(siteShape),
	...answerShape$4
}) }));
var projectFields = "showInCenter portal portalModes service", projectShape$1 = /* @__PURE__ */ object({
	showInCenter: /* @__PURE__ */ boolean(),
	/** What portal customers see, and what can be chosen. */
	portal: /* @__PURE__ */ picklist(portalModes),
	portalModes: /* @__PURE__ */ array(/* @__PURE__ */ picklist(portalModes)),
	/** The project has a portal. */
	service: /* @__PURE__ */ boolean()
});
operation(graphql(`query getProjectSettings($projectId: ID!) { projectSettings(projectId: $projectId) { ${projectFields} } }`), /* @__PURE__ */ object({ projectSettings: projectShape$1 })), operation(graphql(`mutation updateProjectSettings($input: UpdateProjectSettingsInput!) {
    updateProjectSettings(input: $input) { settings { ${projectFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateProjectSettings: /* @__PURE__ */ object({
	settings: /* @__PURE__ */ nullable(projectShape$1),
	...answerShape$4
}) })), operation(graphql("query getHolders($projectId: ID!) { permissionHolders(projectId: $projectId) { permission accounts more } }"), /* @__PURE__ */ object({ permissionHolders: /* @__PURE__ */ array(/* @__PURE__ */ object({
	permission: /* @__PURE__ */ string(),
	accounts: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	more: /* @__PURE__ */ boolean()
})) })), operation(graphql(`mutation removeSiteData($confirm: String!) {
    removeSiteData(confirm: $confirm) { removed ${answerFields} }
  }`), /* @__PURE__ */ object({ removeSiteData: /* @__PURE__ */ object({
	removed: /* @__PURE__ */ boolean(),
	...answerShape$4
}) }));
// src/domain/colors.ts
/** The colours of statuses; separate from the statuses, since the panel shows its rows without them. */
var statusColors = [
	"gray",
	"purple",
	"blue",
	"red",
	"yellow",
	"green"
];
init_dist(), init_recorded();
var statusFields = "slug name color checked projectId builtIn going", statusShape$1 = /* @__PURE__ */ object({
	slug: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string(),
	color: /* @__PURE__ */ picklist(statusColors),
	checked: /* @__PURE__ */ boolean(),
	/** The status's project; `null` for the whole site. */
	projectId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	builtIn: /* @__PURE__ */ boolean(),
	/** Its deletion is in progress. */
	going: /* @__PURE__ */ boolean()
}), payloadShape$2 = /* @__PURE__ */ object({
	statuses: /* @__PURE__ */ nullable(/* @__PURE__ */ array(statusShape$1)),
	job: /* @__PURE__ */ nullable(/* @__PURE__ */ object({ id: /* @__PURE__ */ string() })),
	...answerShape$4
});
operation(graphql(`query getStatuses($projectId: ID) { statuses(projectId: $projectId) { ${statusFields} } }`), /* @__PURE__ */ object({ statuses: /* @__PURE__ */ array(statusShape$1) })), operation(graphql("query getStatusJobs($scope: JobScopeInput!) { jobs(scope: $scope) { id kind total seen ended } }"), /* @__PURE__ */ object({ jobs: /* @__PURE__ */ array(/* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	kind: /* @__PURE__ */ string(),
	/** Estimated number of issues, where the tracker gives one. */
	total: /* @__PURE__ */ nullable(/* @__PURE__ */ number()),
	seen: /* @__PURE__ */ number(),
	ended: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
})) })), operation(graphql("query getStatusUse($slug: ID!) { statusUse(slug: $slug) { items issues templates } }"), /* @__PURE__ */ object({ statusUse: /* @__PURE__ */ object({
	items: /* @__PURE__ */ number(),
	issues: /* @__PURE__ */ number(),
	templates: /* @__PURE__ */ number()
}) })), operation(graphql(`mutation createStatus($input: CreateStatusInput!) {
    createStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`), /* @__PURE__ */ object({ createStatus: payloadShape$2 })), operation(graphql(`mutation updateStatus($input: UpdateStatusInput!) {
    updateStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateStatus: payloadShape$2 })), operation(graphql(`mutation deleteStatus($input: DeleteStatusInput!) {
    deleteStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`), /* @__PURE__ */ object({ deleteStatus: payloadShape$2 })), operation(graphql(`mutation reorderStatuses($input: ReorderStatusesInput!) {
    reorderStatuses(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`), /* @__PURE__ */ object({ reorderStatuses: payloadShape$2 })), init_dist(), init_recorded();
var folderShape = /* @__PURE__ */ object({
	/** `null` for the whole site. */
	projectId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	/** Whether the user can add and change templates here. */
	mayChange: /* @__PURE__ */ boolean(),
	templates: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		name: /* @__PURE__ */ string(),
		itemCount: /* @__PURE__ */ number(),
		isDefault: /* @__PURE__ */ boolean(),
		/** ISO time. */
		updated: /* @__PURE__ */ string()
	}))
});
operation(graphql("query getTemplateTree($projectId: ID $after: ID) {\n    templateTree(projectId: $projectId after: $after) {\n      folders { projectId mayChange templates { id name itemCount isDefault updated } }\n      next\n    }\n  }"), /* @__PURE__ */ object({ templateTree: /* @__PURE__ */ object({
	folders: /* @__PURE__ */ array(folderShape),
	next: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
}) })), operation(graphql(`query getTemplate($id: ID! $projectId: ID) {
    template(id: $id projectId: $projectId) { ${templateFields} }
  }`), /* @__PURE__ */ object({ template: templateShape }));
var versionShape = /* @__PURE__ */ object({
	version: /* @__PURE__ */ number(),
	name: /* @__PURE__ */ string(),
	itemCount: /* @__PURE__ */ number(),
	/** Empty where the app wrote it automatically. */
	account: /* @__PURE__ */ string(),
	/** ISO time. */
	created: /* @__PURE__ */ string()
});
operation(graphql("query getTemplateVersions($id: ID! $projectId: ID $before: Int) {\n    templateVersions(id: $id projectId: $projectId before: $before) {\n      versions { version name itemCount account created }\n      next\n    }\n  }"), /* @__PURE__ */ object({ templateVersions: /* @__PURE__ */ object({
	versions: /* @__PURE__ */ array(versionShape),
	next: /* @__PURE__ */ nullable(/* @__PURE__ */ number())
}) })), operation(graphql("query getTemplateVersion($id: ID! $projectId: ID $version: Int!) {\n    templateVersion(id: $id projectId: $projectId version: $version) { name text }\n  }"), /* @__PURE__ */ object({ templateVersion: /* @__PURE__ */ object({
	name: /* @__PURE__ */ string(),
	text: /* @__PURE__ */ string()
}) })), operation(graphql(`query getTemplateUsage($id: ID! $projectId: ID) {
    templateUsage(id: $id projectId: $projectId) { issueCount rules { ${ruleFields} } }
  }`), /* @__PURE__ */ object({ templateUsage: /* @__PURE__ */ object({
	issueCount: /* @__PURE__ */ number(),
	rules: /* @__PURE__ */ nullable(/* @__PURE__ */ array(ruleShape$1))
}) })), init_dist(), init_recorded();
var roomShape = /* @__PURE__ */ object({
	count: /* @__PURE__ */ number(),
	most: /* @__PURE__ */ nullable(/* @__PURE__ */ number())
}), payloadShape$1 = /* @__PURE__ */ object({
	template: /* @__PURE__ */ nullable(templateShape),
	...answerShape$4
});
operation(graphql(`query getTemplates(
    $projectId: ID $scope: TemplateScope $search: String $sort: TemplateSort $descending: Boolean $first: Int $skip: Int
  ) {
    templates(
      projectId: $projectId scope: $scope search: $search sort: $sort descending: $descending first: $first skip: $skip
    ) {
      templates { ${templateFields} }
      total
      globalRoom { count most }
      projectRoom { count most }
    }
  }`), /* @__PURE__ */ object({ templates: /* @__PURE__ */ object({
	templates: /* @__PURE__ */ array(templateShape),
	total: /* @__PURE__ */ number(),
	globalRoom: roomShape,
	projectRoom: /* @__PURE__ */ nullable(roomShape)
}) })), operation(graphql("query getTemplateNames($projectId: ID $scope: TemplateScope $first: Int $skip: Int) {\n    templates(projectId: $projectId scope: $scope first: $first skip: $skip) { templates { id name } total }\n  }"), /* @__PURE__ */ object({ templates: /* @__PURE__ */ object({
	templates: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		name: /* @__PURE__ */ string()
	})),
	total: /* @__PURE__ */ number()
}) })), operation(graphql(`mutation createTemplateFromText($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ createTemplateFromText: payloadShape$1 })), operation(graphql(`mutation createTemplateFromChecklist($input: CreateTemplateFromChecklistInput!) {
    createTemplateFromChecklist(input: $input) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ createTemplateFromChecklist: payloadShape$1 })), operation(graphql(`mutation duplicateTemplate($input: DuplicateTemplateInput!) {
    duplicateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ duplicateTemplate: payloadShape$1 })), operation(graphql(`mutation updateTemplate($input: UpdateTemplateInput!) {
    updateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ updateTemplate: payloadShape$1 })), operation(graphql(`mutation deleteTemplate($id: ID!) {
    deleteTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ deleteTemplate: payloadShape$1 })), operation(graphql(`mutation restoreTemplate($id: ID!) {
    restoreTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ restoreTemplate: payloadShape$1 })), operation(graphql(`mutation setDefaultTemplate($projectId: ID $templateId: ID) {
    setDefaultTemplate(projectId: $projectId templateId: $templateId) { template { ${templateFields} } ${answerFields} }
  }`), /* @__PURE__ */ object({ setDefaultTemplate: payloadShape$1 })), operation(graphql("query exportTemplates($projectId: ID $ids: [ID!]) { exportTemplates(projectId: $projectId ids: $ids) }"), /* @__PURE__ */ object({ exportTemplates: /* @__PURE__ */ string() })), operation(graphql(`mutation importTemplates($input: ImportTemplatesInput!) {
    importTemplates(input: $input) { templates { ${templateFields} } notTaken { name message } ${answerFields} }
  }`), /* @__PURE__ */ object({ importTemplates: /* @__PURE__ */ object({
	templates: /* @__PURE__ */ array(templateShape),
	notTaken: /* @__PURE__ */ array(/* @__PURE__ */ object({
		name: /* @__PURE__ */ string(),
		message: /* @__PURE__ */ string()
	})),
	...answerShape$4
}) }));
// src/domain/automation/webhooks.ts
var webhookDirections = ["OUTGOING", "INCOMING"];
init_dist(), init_recorded();
var fields = "id direction name url address events actions projectIds withText automated hasToken enabled stopped", webhookShape = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	direction: /* @__PURE__ */ picklist(webhookDirections),
	name: /* @__PURE__ */ string(),
	url: /* @__PURE__ */ string(),
	/** Where an incoming one is called. */
	address: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	/** Of `webhookEvents` and `webhookActions`. */
	events: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	actions: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	/** Empty for all. */
	projectIds: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	withText: /* @__PURE__ */ boolean(),
	automated: /* @__PURE__ */ boolean(),
	hasToken: /* @__PURE__ */ boolean(),
	enabled: /* @__PURE__ */ boolean(),
	/** ISO time at which it was turned off because its receiver failed. */
	stopped: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
}), callShape = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	event: /* @__PURE__ */ string(),
	issueId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	created: /* @__PURE__ */ string(),
	status: /* @__PURE__ */ nullable(/* @__PURE__ */ number()),
	outcome: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	tries: /* @__PURE__ */ number(),
	took: /* @__PURE__ */ nullable(/* @__PURE__ */ number())
}), changedShape = /* @__PURE__ */ object({
	webhooks: /* @__PURE__ */ nullable(/* @__PURE__ */ array(webhookShape)),
	secret: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	...answerShape$4
});
operation(graphql(`query getWebhooks($projectId: ID) { webhooks(projectId: $projectId) { ${fields} } }`), /* @__PURE__ */ object({ webhooks: /* @__PURE__ */ array(webhookShape) })), operation(graphql("query getWebhookCalls($id: ID!) { webhookCalls(id: $id) { id event issueId created status outcome tries took } }"), /* @__PURE__ */ object({ webhookCalls: /* @__PURE__ */ array(callShape) })), operation(graphql(`mutation createWebhook($input: WebhookInput!) {
    createWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`), /* @__PURE__ */ object({ createWebhook: changedShape })), operation(graphql(`mutation updateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`), /* @__PURE__ */ object({ updateWebhook: changedShape })), operation(graphql(`mutation deleteWebhook($id: ID!) {
    deleteWebhook(id: $id) { webhooks { ${fields} } secret ${answerFields} }
  }`), /* @__PURE__ */ object({ deleteWebhook: changedShape })), operation(graphql(`mutation testWebhook($id: ID!) { testWebhook(id: $id) { accepted message ${answerFields} } }`), /* @__PURE__ */ object({ testWebhook: /* @__PURE__ */ object({
	accepted: /* @__PURE__ */ boolean(),
	message: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	...answerShape$4
}) })), init_dist(), init_call(), init_dist(), init_recorded();
var statusShape = /* @__PURE__ */ object({
	slug: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string(),
	color: /* @__PURE__ */ picklist(statusColors),
	checked: /* @__PURE__ */ boolean()
}), pageShape$1 = /* @__PURE__ */ object({
	next: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	items: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		issueId: /* @__PURE__ */ string(),
		index: /* @__PURE__ */ number(),
		/** The text of the header above it. */
		section: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		text: /* @__PURE__ */ string(),
		status: statusShape,
		mandatory: /* @__PURE__ */ boolean(),
		/** ISO day. */
		dueDate: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
	})),
	issues: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		permissions: /* @__PURE__ */ object({
			canAddChecklistItems: /* @__PURE__ */ boolean(),
			canChangeItemStatuses: /* @__PURE__ */ boolean(),
			canDeleteChecklistItems: /* @__PURE__ */ boolean(),
			canEditChecklist: /* @__PURE__ */ boolean()
		}),
		/** Number of its items that match the filter. */
		count: /* @__PURE__ */ number()
	}))
}), countsShape = /* @__PURE__ */ object({
	/** There are more issues than were counted. */
	partial: /* @__PURE__ */ boolean(),
	all: /* @__PURE__ */ number(),
	overdue: /* @__PURE__ */ number(),
	due: /* @__PURE__ */ object({
		past: /* @__PURE__ */ number(),
		today: /* @__PURE__ */ number(),
		week: /* @__PURE__ */ number(),
		later: /* @__PURE__ */ number(),
		none: /* @__PURE__ */ number()
	}),
	projects: /* @__PURE__ */ array(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		count: /* @__PURE__ */ number()
	})),
	statuses: /* @__PURE__ */ array(/* @__PURE__ */ object({
		...statusShape.entries,
		count: /* @__PURE__ */ nullable(/* @__PURE__ */ number())
	}))
});
operation(graphql("query getAssignedItems($today: String!, $who: AssignedWhoInput, $order: AssignedOrder, $filter: AssignedFilterInput, $after: String) {\n    assignedItems(today: $today, who: $who, order: $order, filter: $filter, after: $after, first: 100) {\n      next\n      items { id issueId index section text mandatory dueDate status { slug name color checked } }\n      issues {\n        id count\n        permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist }\n      }\n    }\n  }"), /* @__PURE__ */ object({ assignedItems: pageShape$1 })), operation(graphql("query getAssignedCounts($today: String!, $who: AssignedWhoInput, $filter: AssignedFilterInput) {\n    assignedCounts(today: $today, who: $who, filter: $filter) {\n      partial all overdue\n      due { past today week later none }\n      projects { id count }\n      statuses { slug name color checked count }\n    }\n  }"), /* @__PURE__ */ object({ assignedCounts: countsShape }));
// src/client/browser-storage.ts
var keyOf, init_browser_storage = __esmMin((() => {
	keyOf = (...parts) => parts.map(encodeURIComponent).join("/");
}));
// src/client/changes.ts
init_browser_storage();
// src/domain/timing.ts
/** Resolves after the delay in milliseconds; rejects with the signal's reason when aborted. */
function sleep(delay, signal) {
	return new Promise((resolve, reject) => {
		let abort = () => {
			clearTimeout(timer), reject(signal?.reason);
		}, timer = setTimeout(() => {
			signal?.removeEventListener("abort", abort), resolve();
		}, delay);
		signal?.aborted ? abort() : signal?.addEventListener("abort", abort, { once: !0 });
	});
}
function createTimer(call) {
	let timer, stop = () => {
		clearTimeout(timer), timer = void 0;
	};
	return {
		start: (delay) => {
			stop(), timer = setTimeout(() => {
				timer = void 0, call();
			}, delay);
		},
		stop,
		isPending: () => timer !== void 0
	};
}
/** The result of the work; rejects with `error` after the delay in milliseconds. The work goes on. */
function withTimeout(work, delay, error) {
	let timer, timedOut = new Promise((_, reject) => {
		timer = setTimeout(() => reject(error()), delay);
	});
	return Promise.race([work, timedOut]).finally(() => clearTimeout(timer));
}
var backoff, jittered, init_timing = __esmMin((() => {
	backoff = (failures, first, longest) => Math.min(longest, first * 2 ** failures), jittered = (delay) => delay * (.5 + Math.random() / 2);
}));
// src/client/page.ts
/** Calls back when the page becomes visible, and when the network returns, which may be while the page is hidden. */
function onReturn(listener, target = window) {
	let change = () => {
		isVisible() && listener();
	};
	return target.addEventListener("visibilitychange", change), target.addEventListener("online", listener), () => {
		target.removeEventListener("visibilitychange", change), target.removeEventListener("online", listener);
	};
}
var isVisible, init_page = __esmMin((() => {
	isVisible = () => document.visibilityState !== "hidden";
}));
// src/client/store.ts
init_page();
function createStore(initial) {
	let value = initial, listeners = /* @__PURE__ */ new Set();
	return {
		get: () => value,
		set: (next) => {
			if (!Object.is(next, value)) {
				value = next;
				for (let listener of [...listeners]) listener();
			}
		},
		subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener))
	};
}
// src/client/live/polling.ts
init_errors();
// src/client/tracker/permissions.ts
var init_permissions = __esmMin((() => {
	init_dist(), init_errors(), init_call();
})), init_badge = __esmMin((() => {
	init_dist(), init_errors(), init_page(), init_call(), init_permissions();
})), init_foreign_changes = __esmMin((() => {
	init_dist(), init_recorded(), init_page(), init_issues(), init_badge(), operation(graphql("mutation reportSeen($issueId: ID!, $property: SeenPropertyInput, $field: String, $lacking: [String!]) {\n    reportSeen(issueId: $issueId, property: $property, field: $field, lacking: $lacking)\n  }"), /* @__PURE__ */ object({ reportSeen: /* @__PURE__ */ boolean() }));
}));
init_issues(), init_browser_storage(), init_dist(), init_recorded();
/** The issues that items of a checklist were converted to. */
var convertedShape = /* @__PURE__ */ object({
	issueKey: /* @__PURE__ */ string(),
	follows: /* @__PURE__ */ boolean()
});
operation(graphql("query getConvertedIssues($issueId: ID!) { convertedIssues(issueId: $issueId) { issueKey follows } }"), /* @__PURE__ */ object({ convertedIssues: /* @__PURE__ */ array(convertedShape) })), operation(graphql("mutation setFollowing($issueId: ID!, $issueKey: String!, $follows: Boolean!) {\n    setFollowing(issueId: $issueId, issueKey: $issueKey, follows: $follows) {\n      issues { issueKey follows }\n      errors { code field message }\n    }\n  }"), /* @__PURE__ */ object({ setFollowing: /* @__PURE__ */ object({
	issues: /* @__PURE__ */ array(convertedShape),
	errors: /* @__PURE__ */ array(/* @__PURE__ */ object({
		code: /* @__PURE__ */ string(),
		field: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		message: /* @__PURE__ */ string()
	}))
}) })), init_dist(), init_edition(), init_browser_storage(), init_page(), keyOf(`${edition.key}.window`), init_dist(), init_messages(), init_shape(), init_errors();
var answerShape$2 = /* @__PURE__ */ object({
	data: /* @__PURE__ */ optional(/* @__PURE__ */ unknown$1()),
	errors: /* @__PURE__ */ optional(/* @__PURE__ */ array(/* @__PURE__ */ object({ message: /* @__PURE__ */ string() }))),
	error: /* @__PURE__ */ optional(/* @__PURE__ */ string())
});
function parse(text) {
	try {
		return readAs(answerShape$2, JSON.parse(text)) ?? {};
	} catch {
		return {};
	}
}
/**
* Creates the client of our server's operations (spec §7, row 15): a refused token is renewed once and the operation
* repeated.
*/
function createGraphql(bridge, session, options = {}) {
	let send = (operation, variables, token, signal) => {
		let { kind, name, source } = operation, headers = { authorization: `JWT ${token}` }, cancel = signal ? { signal } : {};
		if (kind === "query" && options.getQueries) {
			let query = {
				query: source,
				operationName: name,
				variables: JSON.stringify(variables)
			};
			return bridge.backend("/graphql", {
				query,
				headers,
				...cancel
			});
		}
		let json = {
			query: source,
			operationName: name,
			variables
		};
		return bridge.backend("/graphql", {
			method: "POST",
			json,
			headers,
			...cancel
		});
	}, answerOf = async (operation, variables, signal) => {
		let token = await session.token(), answer = await send(operation, variables, token, signal);
		return answer.status === 401 ? send(operation, variables, await session.renew(token), signal) : answer;
	}, run = async (operation, variables, signal) => {
		let { status, statusText, text } = await answerOf(operation, variables, signal), { data, errors, error } = parse(text), reason = errors?.[0]?.message ?? error;
		if (status >= 300) throw new ServerError(status, reason || statusText || "Something went wrong.");
		if (reason !== void 0) throw new ServerError(status, reason);
		let result = readAs(operation.shape, data);
		if (result === void 0) throw new ServerError(status, unknown);
		return result;
	};
	return {
		query: async (operation, variables, signal) => {
			let result = await run(operation, variables, signal);
			return options.completed?.(operation.name), result;
		},
		mutate: async (operation, variables, pick) => {
			let payload = pick(await run(operation, variables)), [refusal] = payload.errors;
			if (refusal) throw new MutationRefused(refusal.code, refusal.field ?? void 0, refusal.message);
			return options.completed?.(operation.name), payload;
		}
	};
}
// src/bridge/bridge.ts
var DIALOG_TIMEOUT, HostUnreachable, init_bridge = __esmMin((() => {
	DIALOG_TIMEOUT = 2e4, HostUnreachable = class extends Error {
		name = "HostUnreachable";
	};
}));
init_errors(), init_errors(), init_errors(), init_dist(), init_call(), init_issues(), init_dist(), init_dist(), init_errors(), init_errors(), init_dist(), init_errors(), init_call(), init_dist(), init_recorded();
var summaryShape = /* @__PURE__ */ object({
	issueId: /* @__PURE__ */ string(),
	total: /* @__PURE__ */ number(),
	checked: /* @__PURE__ */ number(),
	mandatoryOpen: /* @__PURE__ */ number(),
	permissions: /* @__PURE__ */ object({
		canAddChecklistItems: /* @__PURE__ */ boolean(),
		canChangeItemStatuses: /* @__PURE__ */ boolean(),
		canDeleteChecklistItems: /* @__PURE__ */ boolean(),
		canEditChecklist: /* @__PURE__ */ boolean(),
		canImportTemplate: /* @__PURE__ */ boolean()
	})
});
operation(graphql("query checklistSummaries($issueIds: [ID!]!) {\n    checklistSummaries(issueIds: $issueIds) {\n      issueId total checked mandatoryOpen\n      permissions {\n        canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist canImportTemplate\n      }\n    }\n  }"), /* @__PURE__ */ object({ checklistSummaries: /* @__PURE__ */ array(summaryShape) })), init_dist(), init_recorded();
var kindShape = /* @__PURE__ */ picklist([
	"ADDED",
	"DELETED",
	"MOVED",
	"RETYPED",
	"REWORDED",
	"STATUS",
	"MANDATORY",
	"GATES",
	"CUSTOMERS",
	"ASSIGNEE",
	"DUE_DATE",
	"DETAILS"
]), positionShape = /* @__PURE__ */ object({
	epoch: /* @__PURE__ */ string(),
	seq: /* @__PURE__ */ number()
}), entryShape$1 = /* @__PURE__ */ object({
	epoch: /* @__PURE__ */ string(),
	seq: /* @__PURE__ */ number(),
	created: /* @__PURE__ */ string(),
	account: /* @__PURE__ */ string(),
	kind: /* @__PURE__ */ string(),
	previous: /* @__PURE__ */ nullable(positionShape),
	changes: /* @__PURE__ */ nullable(/* @__PURE__ */ array(/* @__PURE__ */ object({
		kind: kindShape,
		index: /* @__PURE__ */ number(),
		row: /* @__PURE__ */ string(),
		/** The row's lasting id, where it is known. */
		rowId: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		header: /* @__PURE__ */ boolean(),
		/** A status by its slug, a person by account id, a flag as `true` or `false`, a position by its section. */
		from: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		to: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
	}))),
	changeCount: /* @__PURE__ */ number()
}), historyShape = /* @__PURE__ */ object({
	entries: /* @__PURE__ */ array(entryShape$1),
	next: /* @__PURE__ */ nullable(positionShape)
}), touchShape = /* @__PURE__ */ object({
	index: /* @__PURE__ */ number(),
	row: /* @__PURE__ */ string(),
	rowId: /* @__PURE__ */ string(),
	header: /* @__PURE__ */ boolean(),
	kind: kindShape,
	epoch: /* @__PURE__ */ string(),
	seq: /* @__PURE__ */ number(),
	created: /* @__PURE__ */ string(),
	account: /* @__PURE__ */ string()
});
operation(graphql("query getHistory($issueId: ID!, $before: PositionInput, $filter: HistoryFilterInput) {\n    checklistHistory(issueId: $issueId, before: $before, filter: $filter, first: 30) {\n      next { epoch seq }\n      entries {\n        epoch seq created account kind changeCount\n        previous { epoch seq }\n        changes { kind index row rowId header from to }\n      }\n    }\n  }"), /* @__PURE__ */ object({ checklistHistory: historyShape }));
var conflictsShape = /* @__PURE__ */ object({ entries: /* @__PURE__ */ array(/* @__PURE__ */ object({
	...(/* @__PURE__ */ pick(entryShape$1, [
		"epoch",
		"seq",
		"created",
		"account"
	])).entries,
	conflicts: /* @__PURE__ */ array(conflictShape)
})) });
operation(graphql("query getConflicts($issueId: ID!) {\n    checklistHistory(issueId: $issueId, first: 10) {\n      entries { epoch seq created account conflicts { row attribute mine theirs } }\n    }\n  }"), /* @__PURE__ */ object({ checklistHistory: conflictsShape })), operation(graphql("query getRevision($issueId: ID!, $epoch: String!, $seq: Int!) {\n    checklistRevision(issueId: $issueId, epoch: $epoch, seq: $seq) { text }\n  }"), /* @__PURE__ */ object({ checklistRevision: /* @__PURE__ */ object({ text: /* @__PURE__ */ string() }) })), operation(graphql("query getTouches($issueId: ID!) {\n    checklistTouches(issueId: $issueId) { index row rowId header kind epoch seq created account }\n  }"), /* @__PURE__ */ object({ checklistTouches: /* @__PURE__ */ array(touchShape) })), init_errors(), init_dist(), init_errors(), init_recorded();
var payloadShape = /* @__PURE__ */ object({
	job: /* @__PURE__ */ nullish(/* @__PURE__ */ object({ id: /* @__PURE__ */ string() })),
	message: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
	errors: /* @__PURE__ */ array(/* @__PURE__ */ object({
		code: /* @__PURE__ */ string(),
		field: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		message: /* @__PURE__ */ string()
	}))
});
operation(graphql("mutation synchronizeStorages($input: SynchronizeStoragesInput!) {\n    synchronizeStorages(input: $input) { message job { id } errors { code field message } }\n  }"), /* @__PURE__ */ object({ synchronizeStorages: payloadShape })), operation(graphql("mutation importFromIssueChecklist($input: ImportFromIssueChecklistInput!) {\n    importFromIssueChecklist(input: $input) { message job { id } errors { code field message } }\n  }"), /* @__PURE__ */ object({ importFromIssueChecklist: payloadShape })), operation(graphql("query getJob($id: ID!) { job(id: $id) { kind state done failed log { message } } }"), /* @__PURE__ */ object({ job: /* @__PURE__ */ object({
	kind: /* @__PURE__ */ string(),
	state: /* @__PURE__ */ picklist([
		"QUEUED",
		"RUNNING",
		"DONE",
		"FAILED",
		"CANCELLED"
	]),
	done: /* @__PURE__ */ number(),
	failed: /* @__PURE__ */ number(),
	log: /* @__PURE__ */ array(/* @__PURE__ */ object({ message: /* @__PURE__ */ string() }))
}) })), init_dist(), init_shape();
var issue = /* @__PURE__ */ string(), shape$3 = /* @__PURE__ */ variant("kind", [
	/* @__PURE__ */ object({
		kind: /* @__PURE__ */ literal("checklist"),
		issue,
		by: /* @__PURE__ */ optional(/* @__PURE__ */ array(/* @__PURE__ */ string()))
	}),
	/* @__PURE__ */ object({
		kind: /* @__PURE__ */ literal("presence"),
		issue
	}),
	/* @__PURE__ */ object({
		kind: /* @__PURE__ */ literal("job"),
		job: /* @__PURE__ */ string()
	}),
	/* @__PURE__ */ object({ kind: /* @__PURE__ */ picklist([
		"templates",
		"statuses",
		"settings"
	]) }),
	/* @__PURE__ */ object({ kind: /* @__PURE__ */ literal("assigned") }),
	/* @__PURE__ */ object({ kind: /* @__PURE__ */ picklist(["open", "gap"]) })
]), readEvent = (value) => readAs(shape$3, value);
/** Parses server-sent events from chunks of text. Unknown events are skipped. */
function createEventReader(listener) {
	let rest = "";
	return (text) => {
		let blocks = (rest + text).split("\n\n");
		rest = blocks.pop() ?? "";
		for (let block of blocks) {
			let event = block.startsWith("data:") ? readEvent(readJson(block.slice(5))) : void 0;
			event && listener(event);
		}
	};
}
// src/domain/constants.ts
init_dist(), init_dist(), init_recorded(), operation(graphql("query getEditors($subjectId: ID!) { editors(subjectId: $subjectId) { account row mark } }"), /* @__PURE__ */ object({ editors: /* @__PURE__ */ array(/* @__PURE__ */ object({
	account: /* @__PURE__ */ string(),
	row: /* @__PURE__ */ nullable(/* @__PURE__ */ number()),
	mark: /* @__PURE__ */ nullable(/* @__PURE__ */ string())
})) })), operation(graphql("mutation placeEditor($subjectId: ID!, $row: Int!, $mark: String!) {\n    placeEditor(subjectId: $subjectId, row: $row, mark: $mark)\n  }"), /* @__PURE__ */ object({ placeEditor: /* @__PURE__ */ boolean() })), operation(graphql("mutation editRow($issueId: ID!, $row: Int, $mark: String) {\n    editRow(issueId: $issueId, row: $row, mark: $mark)\n  }"), /* @__PURE__ */ object({ editRow: /* @__PURE__ */ boolean() })), init_foreign_changes();
/** Business constants (spec §9) that no other module owns. Times in milliseconds. */
var TOKEN_REFRESH = 348e4;
// src/client/live/stream.ts
new Intl.RelativeTimeFormat("en", { numeric: "auto" }), init_timing();
/** Idle timeout in milliseconds. The server pings every 20 seconds. */
var SILENCE = 45e3, FIRST_PAUSE = 1e3, zone = new Intl.DateTimeFormat().resolvedOptions().timeZone, LONGEST_PAUSE = 3e4;
/**
* Keeps an event stream open until the returned function is called: after a regular end it is opened again after a
* short pause, after failures with backoff. `lost` is called whenever it ends.
*/
function keepStream({ bridge, session }, watched, listener, lost) {
	let stopped = new AbortController(), failures = 0, once = async (token) => {
		let ended = new AbortController(), silence = createTimer(() => ended.abort());
		silence.start(SILENCE);
		let read = createEventReader((event) => {
			event.kind === "open" && (failures = 0), listener(event);
		}), alive = (text) => {
			silence.start(SILENCE), read(text);
		}, headers = { authorization: `JWT ${token}` }, signal = AbortSignal.any([stopped.signal, ended.signal]);
		try {
			return await bridge.stream?.("/api/live", {
				json: {
					...watched,
					zone
				},
				headers,
				signal
			}, alive) ?? 0;
		} finally {
			silence.stop();
		}
	}, attempt = async () => {
		try {
			let token = await session.token(), status = await once(token);
			return status === 401 && await session.renew(token), status === 200;
		} catch {
			return !1;
		}
	};
	return (async () => {
		for (; !stopped.signal.aborted;) {
			let good = await attempt();
			if (stopped.signal.aborted) return;
			lost(), await sleep(jittered(good ? FIRST_PAUSE : backoff(failures, FIRST_PAUSE, LONGEST_PAUSE))), good || (failures += 1);
		}
	})(), () => stopped.abort();
}
init_page(), init_dist(), init_call(), init_dist(), init_storage(), storageKey("hide-notice"), init_dist(), init_messages();
/** 32-bit integer, as in the database. */
var count = /* @__PURE__ */ pipe(/* @__PURE__ */ number(), /* @__PURE__ */ integer(), /* @__PURE__ */ minValue(-(2 ** 31)), /* @__PURE__ */ maxValue(2 ** 31 - 1)), list = (item) => /* @__PURE__ */ pipe(/* @__PURE__ */ array(item), /* @__PURE__ */ readonly()), trackerId = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ regex(/^\d{1,18}$/)), target = /* @__PURE__ */ strictObject({
	index: count,
	text: /* @__PURE__ */ string()
}), itemValues = /* @__PURE__ */ strictObject({
	text: /* @__PURE__ */ exactOptional(/* @__PURE__ */ string()),
	/** Detail lines without their marks. */
	details: /* @__PURE__ */ exactOptional(/* @__PURE__ */ string()),
	mandatory: /* @__PURE__ */ exactOptional(/* @__PURE__ */ boolean()),
	/** Account id. */
	assignee: /* @__PURE__ */ exactOptional(/* @__PURE__ */ nullable(/* @__PURE__ */ string())),
	/** ISO day. */
	dueDate: /* @__PURE__ */ exactOptional(/* @__PURE__ */ nullable(/* @__PURE__ */ string())),
	/** Display names by account id: a cleared assignee who is mentioned inside the sentence becomes the name. */
	names: /* @__PURE__ */ exactOptional(/* @__PURE__ */ pipe(/* @__PURE__ */ record(/* @__PURE__ */ string(), /* @__PURE__ */ string()), /* @__PURE__ */ readonly())),
	/** All gates of a header: names of the tracker's statuses before which its section is to be complete. */
	gates: /* @__PURE__ */ exactOptional(list(/* @__PURE__ */ string())),
	/** Whether portal customers see a header's section. */
	customers: /* @__PURE__ */ exactOptional(/* @__PURE__ */ boolean())
}), logged = { log: /* @__PURE__ */ exactOptional(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ regex(/^(undo|redo):[A-Za-z]{1,40}$/))) }, rowEdits = [
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("setItemStatus"),
		target,
		status: /* @__PURE__ */ string(),
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("updateChecklistItem"),
		target,
		values: itemValues,
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("deleteChecklistItem"),
		target,
		...logged
	})
], rowEdit = /* @__PURE__ */ variant("kind", rowEdits), edits = [
	...rowEdits,
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("updateChecklistFromText"),
		text: /* @__PURE__ */ string(),
		name: /* @__PURE__ */ exactOptional(/* @__PURE__ */ string()),
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("addChecklistItemsFromText"),
		text: /* @__PURE__ */ string(),
		index: /* @__PURE__ */ exactOptional(count),
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("changeChecklistItems"),
		edits: list(rowEdit),
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("moveChecklistItem"),
		targets: list(target),
		section: /* @__PURE__ */ boolean(),
		index: count,
		...logged
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("clearChecklist"),
		...logged
	})
], templatePlace = {
	/** `APPEND` adds them at the end, `REPLACE` replaces the existing rows. */
	mode: /* @__PURE__ */ picklist(["APPEND", "REPLACE"]),
	/** The header of the target section; without it, the whole checklist. */
	section: /* @__PURE__ */ exactOptional(target)
}, serverEdits = [
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("applyTemplateToChecklist"),
		templateIds: list(/* @__PURE__ */ string()),
		...templatePlace
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("applyDemoTemplateToChecklist"),
		...templatePlace
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("convertItemToIssue"),
		target,
		to: /* @__PURE__ */ picklist(["SUBTASK", "LINKED_ISSUE"]),
		/** Ids; by default the checklist's project, and a type that fits. */
		project: /* @__PURE__ */ exactOptional(trackerId),
		issueType: /* @__PURE__ */ exactOptional(trackerId),
		/** The key replaces the item's words. */
		replaces: /* @__PURE__ */ exactOptional(/* @__PURE__ */ boolean()),
		/** The item is completed with the issue, and reopened with it. */
		follows: /* @__PURE__ */ exactOptional(/* @__PURE__ */ boolean())
	}),
	/* @__PURE__ */ strictObject({
		kind: /* @__PURE__ */ literal("restoreChecklistRevision"),
		epoch: /* @__PURE__ */ string(),
		seq: count
	})
];
// src/domain/token.ts
[...edits, ...serverEdits], init_dist(), init_recorded(), init_edition(), init_browser_storage(), `${edition.key}`, init_browser_storage(), init_dist(), init_browser_storage(), init_page(), init_browser_storage(), init_errors(), init_page(), init_dist();
/** The session token's payload. Times in seconds since the epoch. */
var sessionShape$1 = /* @__PURE__ */ object({
	iss: /* @__PURE__ */ string(),
	/** The tenant: the tracker's client key. */
	aud: /* @__PURE__ */ string(),
	/** The account id; `anonymous` without one. */
	sub: /* @__PURE__ */ string(),
	iat: /* @__PURE__ */ number(),
	exp: /* @__PURE__ */ number(),
	/** The tracker's address, e.g. `https://site.example`. */
	site: /* @__PURE__ */ string(),
	settings: /* @__PURE__ */ object({
		getting_started_template_id: /* @__PURE__ */ nullable(/* @__PURE__ */ string()),
		has_checklist: /* @__PURE__ */ boolean(),
		manage_permissions_enabled: /* @__PURE__ */ boolean(),
		view_permissions_enabled: /* @__PURE__ */ boolean(),
		/** The site allows analytics. Absent in sessions of an earlier version. */
		analytics_enabled: /* @__PURE__ */ optional(/* @__PURE__ */ boolean(), !0),
		/** The site does not offer the starter templates. */
		starters_hidden: /* @__PURE__ */ exactOptional(/* @__PURE__ */ boolean()),
		/** False where the platform reports an inactive license: read-only. */
		licensed: /* @__PURE__ */ optional(/* @__PURE__ */ boolean(), !0),
		/** The site's keys of our permissions, by module, where they are not `{addonKey}__{moduleKey}`. */
		permission_keys: /* @__PURE__ */ optional(/* @__PURE__ */ record(/* @__PURE__ */ string(), /* @__PURE__ */ string()))
	})
});
/** Decodes a token's payload without verification or parsing. Throws for an invalid token. */
function tokenPayload(token) {
	let body = token.split(".")[1];
	if (!body) throw Error("The token has no payload.");
	let bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
	return JSON.parse(new TextDecoder().decode(bytes));
}
var parseSession = (payload) => parse$1(sessionShape$1, payload), decodeSession = (token) => parseSession(tokenPayload(token));
init_dist(), init_timing(), init_errors(), init_page();
/** Milliseconds before a failed refresh of a valid session is repeated. */
var SECOND_TRY = 3e4, answerShape$1 = /* @__PURE__ */ object({ token: /* @__PURE__ */ string() });
/** Fetches our token in exchange for the tracker's (spec §7, row 13). */
async function fetchToken(bridge) {
	let answer = await bridge.signIn();
	if (answer.status < 200 || answer.status > 299) throw new ServerError(answer.status, answer.statusText || `HTTP ${answer.status}`);
	let { token } = parse$1(answerShape$1, JSON.parse(answer.text));
	return {
		token,
		payload: decodeSession(token)
	};
}
var refused = (error) => error instanceof ServerError && (error.status === 401 || error.status === 403), ranOut = (payload) => payload !== void 0 && payload.exp * 1e3 <= Date.now();
function createSession(bridge) {
	let store = createStore({
		status: "pending",
		retrying: !1,
		token: void 0,
		payload: void 0,
		unauthorized: !1
	}), underWay, timer = createTimer(() => void refresh().catch(() => void 0)), started = !1, due = Infinity, schedule = (delay) => {
		due = Date.now() + delay, started && timer.start(delay);
	}, fetchOnce = async () => {
		try {
			let { token, payload } = await fetchToken(bridge), before = store.get().payload?.settings;
			return before && JSON.stringify(before) === JSON.stringify(payload.settings) && (payload.settings = before), store.set({
				status: "ok",
				retrying: !1,
				token,
				payload,
				unauthorized: !1
			}), schedule(TOKEN_REFRESH), token;
		} catch (error) {
			let { token, payload } = store.get();
			throw store.set({
				status: "fail",
				retrying: !1,
				token,
				payload,
				unauthorized: refused(error) || ranOut(payload)
			}), schedule(payload ? SECOND_TRY : TOKEN_REFRESH), error;
		}
	}, refresh = () => (underWay ??= fetchOnce().finally(() => {
		underWay = void 0;
	}), underWay), wake = () => {
		isVisible() && (store.get().status === "fail" || Date.now() >= due) && refresh().catch(() => void 0);
	};
	return {
		get: store.get,
		subscribe: store.subscribe,
		start: () => {
			started = !0;
			let stopReturn = onReturn(wake);
			return refresh().catch(() => void 0), () => {
				started = !1, timer.stop(), stopReturn();
			};
		},
		retry: () => {
			store.set({
				...store.get(),
				retrying: !0
			}), refresh().catch(() => void 0);
		},
		token: async () => store.get().token ?? await refresh(),
		renew: async (refusedToken) => {
			let { token } = store.get();
			return token !== void 0 && token !== refusedToken ? token : await refresh();
		}
	};
}
init_dist(), init_call(), init_issues(), { ...(/* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	key: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string(),
	properties: /* @__PURE__ */ optional(/* @__PURE__ */ record(/* @__PURE__ */ string(), /* @__PURE__ */ unknown$1()))
})).entries }, init_dist(), init_storage(), init_recorded(), operation(graphql("query getStatuses($projectId: ID, $issueId: ID) {\n    statuses(projectId: $projectId, issueId: $issueId) { slug name color checked former going }\n  }"), /* @__PURE__ */ object({ statuses: /* @__PURE__ */ array(/* @__PURE__ */ object({
	slug: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string(),
	color: /* @__PURE__ */ picklist(statusColors),
	checked: /* @__PURE__ */ boolean(),
	former: /* @__PURE__ */ array(/* @__PURE__ */ string()),
	going: /* @__PURE__ */ boolean()
})) })), storageKey("statuses"), init_dist(), init_call(), init_dist(), init_call(), init_issues();
var named = /* @__PURE__ */ object({
	id: /* @__PURE__ */ string(),
	name: /* @__PURE__ */ string()
});
({ ...named.entries }), { ...named.entries }, init_dist(), init_call(), init_permissions(), init_dist(), init_call(), init_dist(), init_call(), init_dist(), init_recorded(), init_permissions(), operation(graphql("query getFeatureFlags { featureFlags }"), /* @__PURE__ */ object({ featureFlags: /* @__PURE__ */ unknown$1() })), init_dist(), init_pages();
var keys = [
	"issueKey",
	"issueId",
	"projectKey",
	"projectId"
], given = (value) => !!value && !/^\{.*\}$/.test(value ?? "");
/** Reads the context from the page's own address, which the descriptor defines and the tracker signs. */
function contextOf(search) {
	let parameters = new URLSearchParams(search), surface = parameters.get("surface"), context = { surface: isSurface(surface) ? surface : "page" };
	for (let key of keys) {
		let value = parameters.get(key);
		given(value) && (context[key] = value);
	}
	return context;
}
/** An issue or project id of the host: text or number, absent or null where there is none. */
var id = /* @__PURE__ */ nullish(/* @__PURE__ */ union([/* @__PURE__ */ string(), /* @__PURE__ */ number()])), entityShape = /* @__PURE__ */ nullish(/* @__PURE__ */ object({
	id,
	key: id
}));
/** Completes the context with the host's data. Native apps lay out issue panels like phones. */
function complete(context, issue, project) {
	let said = {
		issueKey: issue?.key,
		issueId: issue?.id,
		projectKey: project?.key,
		projectId: project?.id
	};
	for (let key of keys) {
		let value = context[key] ?? said[key] ?? "";
		value !== "" && (context[key] = `${value}`);
	}
	return context.surface.startsWith("issue-") && navigator.userAgent.includes("AtlassianMobileApp") && (context.surface = "mobile"), context;
}
/** The query of a request, with its question mark, or nothing. Arrays become repeated parameters. */
function queryString(query = {}) {
	let parameters = new URLSearchParams();
	for (let [name, value] of Object.entries(query)) for (let entry of value === void 0 ? [] : [value].flat()) parameters.append(name, entry);
	let search = parameters.toString();
	return search && `?${search}`;
}
init_messages(), init_bridge();
/**
* Calls the app's server by its address, or by a path on the server's own pages. An aborted call rejects as `fetch`
* does.
*/
async function backend(url, init = {}) {
	let { method = "GET", query, json, headers, signal } = init, options = {
		method,
		mode: "cors",
		cache: "no-store",
		headers: { ...headers }
	};
	signal && (options.signal = signal), json !== void 0 && (options.headers = {
		"content-type": "application/json",
		...headers
	}, options.body = JSON.stringify(json));
	try {
		let response = await fetch(url + queryString(query), options);
		return {
			status: response.status,
			statusText: response.statusText,
			text: await response.text()
		};
	} catch (error) {
		throw signal?.throwIfAborted(), new HostUnreachable(server, { cause: error });
	}
}
// src/bridge/json.ts
/** Parses a JSON object; `undefined` for any other text, and for what is no text. */
function parseObject(text) {
	if (typeof text == "string") try {
		let value = JSON.parse(text);
		return typeof value == "object" && value && !Array.isArray(value) ? value : void 0;
	} catch {
		return;
	}
}
init_pages(), init_bridge();
/** Sent among the app's frames, since `dialog.close` reaches all of them and carries no data after Escape. */
var OPENED = "checklist-dialog-opened", CLOSED = "checklist-dialog-closed", SHOWN = "checklist-dialog-shown", envelope = (value) => ({ json: JSON.stringify(value) }), unwrap = (value) => typeof value == "object" && value && "json" in value ? parseObject(value.json) : void 0;
/**
* Dialogs by id. Every frame keeps the stack of the page's open dialogs: a close with an id closes that dialog and
* those above it, a close without one (Escape) closes the topmost.
*/
function connectDialogs(ap) {
	let stack = [], waiting = /* @__PURE__ */ new Map(), mine = /* @__PURE__ */ new Set(), awaited = /* @__PURE__ */ new Map(), came = (id) => {
		clearTimeout(awaited.get(id)), awaited.delete(id);
	}, settle = (id, result) => {
		came(id);
		let at = stack.indexOf(id);
		at >= 0 && (stack = stack.slice(0, at));
		let resolve = waiting.get(id);
		resolve && (waiting.delete(id), resolve(result), ap.events.emit(CLOSED, id));
	};
	ap.events.on(OPENED, (id) => {
		typeof id == "string" && !mine.has(id) && (stack = [...stack, id]);
	}), ap.events.on(SHOWN, (id) => {
		typeof id == "string" && came(id);
	}), ap.events.on(CLOSED, (id) => {
		typeof id == "string" && settle(id);
	}), ap.events.on("dialog.close", (payload) => {
		let closed = unwrap(payload);
		if (typeof closed?.dialogId == "string" && settle(closed.dialogId, closed.result), payload != null) return;
		let top = stack.at(-1);
		top !== void 0 && waiting.has(top) && settle(top);
	});
	let opened = new Promise((resolve) => {
		ap.dialog.getCustomData((data) => resolve(unwrap(data)));
	});
	return opened.then((dialog) => {
		typeof dialog?.dialogId == "string" && ap.events.emit(SHOWN, dialog.dialogId);
	}), {
		open: (name, data, missing) => new Promise((resolve, reject) => {
			let dialogId = crypto.randomUUID();
			mine.add(dialogId), waiting.set(dialogId, resolve), stack = [...stack, dialogId], ap.events.emit(OPENED, dialogId), awaited.set(dialogId, setTimeout(() => missing?.(), DIALOG_TIMEOUT));
			let { key, closeOnEscape } = dialogs[name];
			try {
				ap.dialog.create({
					key,
					size: "maximum",
					chrome: !1,
					closeOnEscape,
					customData: envelope({
						dialogId,
						data
					})
				});
			} catch (error) {
				reject(error), settle(dialogId);
			}
		}),
		close: (result) => {
			opened.then((dialog) => {
				let dialogId = dialog?.dialogId ?? "";
				ap.dialog.close(envelope(result === void 0 ? { dialogId } : {
					dialogId,
					result
				}));
			});
		},
		data: () => opened.then((dialog) => dialog?.data)
	};
}
// src/bridge/until-aborted.ts
/** Rejects with the signal's reason once it is aborted; the host's call itself continues. */
function untilAborted(work, signal) {
	return signal ? new Promise((resolve, reject) => {
		let abort = () => reject(signal.reason);
		signal.aborted && abort(), signal.addEventListener("abort", abort, { once: !0 }), work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	}) : work;
}
init_dist(), init_messages(), init_shape(), init_bridge();
var xhrShape = /* @__PURE__ */ object({
	status: /* @__PURE__ */ number(),
	statusText: /* @__PURE__ */ optional(/* @__PURE__ */ string()),
	responseText: /* @__PURE__ */ optional(/* @__PURE__ */ string()),
	headers: /* @__PURE__ */ optional(/* @__PURE__ */ unknown$1())
}), settledShape = /* @__PURE__ */ object({
	body: /* @__PURE__ */ optional(/* @__PURE__ */ string()),
	xhr: xhrShape
});
/**
* `AP.request` settles with `{ body, xhr }` or `{ err, xhr }` by its documentation; other versions of the host's script
* give the bare text, or reject with the bare `xhr`. Without a status there was no answer.
*/
function responseOf(settled) {
	if (typeof settled == "string") return {
		status: 200,
		text: settled
	};
	let whole = readAs(settledShape, settled), xhr = whole ? whole.xhr : readAs(xhrShape, settled);
	if (!xhr?.status) return;
	let text = whole?.body ?? xhr.responseText ?? "", { status, statusText, headers } = xhr;
	return {
		status,
		...statusText ? { statusText } : {},
		text,
		headers
	};
}
function optionsOf(path, { method = "GET", query, json, headers }) {
	return {
		url: path + queryString(query),
		type: method,
		headers: {
			accept: "application/json",
			...headers
		},
		...json === void 0 ? {} : {
			contentType: "application/json",
			data: JSON.stringify(json)
		}
	};
}
/** Calls the tracker's REST API as the user. */
async function request(ap, path, init = {}) {
	init.signal?.throwIfAborted();
	let { value, cause } = await untilAborted(ap.request(optionsOf(path, init)).then((value) => ({
		value,
		cause: void 0
	}), (cause) => ({
		value: cause,
		cause
	})), init.signal), response = typeof cause == "string" ? void 0 : responseOf(value);
	if (!response) throw new HostUnreachable(tracker, { cause });
	return response;
}
// src/bridge/envelope.ts
/**
* Wraps events between frames as JSON with the frame's id: the host drops nulls and sends an event to all frames, the
* sender included.
*/
function createEnvelope() {
	let frame = crypto.randomUUID();
	return {
		wrap: (data) => JSON.stringify({
			frame,
			data
		}),
		/** Passes on events of other frames. */
		opened: (listener) => (payload) => {
			let envelope = parseObject(payload);
			envelope?.data !== void 0 && envelope.frame !== frame && listener(envelope.data);
		}
	};
}
init_messages(), init_timing(), init_bridge();
/** Milliseconds. A host that drops messages (another origin, a removed frame) never answers. */
var TIMEOUT = 3e4, withHostTimeout = (work) => withTimeout(work, TIMEOUT, () => new HostUnreachable(tracker)), stream_exports = /* @__PURE__ */ __exportAll({ stream: () => stream });
/**
* Calls the app's server like `backend` with a streamed answer: `onText` gets the text of a successful one in parts.
* Resolves with the status at its end. An aborted call rejects as `fetch` does, an interrupted one with
* `HostUnreachable`.
*/
async function stream(url, init, onText) {
	let { json, headers, signal } = init;
	try {
		let answer = await fetch(url, {
			method: "POST",
			cache: "no-store",
			headers: {
				"content-type": "application/json",
				...headers
			},
			body: JSON.stringify(json),
			...signal && { signal }
		});
		if (answer.status !== 200 || !answer.body) return await answer.body?.cancel(), answer.status;
		let reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) onText(piece.value);
		return answer.status;
	} catch (error) {
		throw signal?.throwIfAborted(), new HostUnreachable(server, { cause: error });
	}
}
var init_stream = __esmMin((() => {
	init_messages(), init_bridge();
})), connect_modules_exports = /* @__PURE__ */ __exportAll({ connectModules: () => connectModules });
/** The workflow rule of a frame, which its address names. Rejects for another frame. */
async function connectRule(ap, search) {
	let named = readAs(ruleShape, Object.fromEntries(new URLSearchParams(search)));
	if (!named) throw Error("This frame is for no workflow rule.");
	let { rule, entry, config } = named, onSave = async (read) => {
		ap.jira.WorkflowConfiguration.onSaveValidation(() => read() !== void 0), ap.jira.WorkflowConfiguration.onSave(() => read() ?? "");
	};
	return {
		kind: rule,
		entry,
		...config && { config },
		onSave
	};
}
/** The gadget of a frame, which its address names. Rejects for another frame. */
async function connectGadget(ap, search, request) {
	let named = readAs(gadgetShape, Object.fromEntries(new URLSearchParams(search)));
	if (!named) throw Error("This frame is no gadget.");
	let { dashboardId, itemId } = named, path = `/rest/api/2/dashboard/${encodeURIComponent(dashboardId)}/items/${encodeURIComponent(itemId)}/properties/${CONFIG}`, { status, text } = await request(path);
	if (status !== 200 && status !== 404) throw new HostUnreachable(text);
	let config = status === 200 ? readAs(propertyShape, readJson(text))?.value : void 0, listeners = {
		edit: /* @__PURE__ */ new Set(),
		refresh: /* @__PURE__ */ new Set()
	}, notify = (event) => () => {
		for (let listener of listeners[event]) listener();
	};
	return ap.jira.DashboardItem.onDashboardItemEdit(notify("edit")), ap.jira.DashboardItem.onDashboardItemRefreshed(notify("refresh")), {
		isEdit: config === void 0,
		...config !== void 0 && { config },
		async save(config) {
			let answer = await request(path, {
				method: "PUT",
				json: config
			});
			if (answer.status >= 300) throw new HostUnreachable(answer.text);
		},
		on(event, listener) {
			return listeners[event].add(listener), () => listeners[event].delete(listener);
		}
	};
}
var ruleShape, gadgetShape, propertyShape, CONFIG, connectModules, init_connect_modules = __esmMin((() => {
	init_dist(), init_shape(), init_bridge(), ruleShape = /* @__PURE__ */ object({
		rule: /* @__PURE__ */ picklist(["validator", "condition"]),
		entry: /* @__PURE__ */ picklist([
			"create",
			"edit",
			"view"
		]),
		config: /* @__PURE__ */ nullish(/* @__PURE__ */ string())
	}), gadgetShape = /* @__PURE__ */ object({
		dashboardId: /* @__PURE__ */ string(),
		itemId: /* @__PURE__ */ string(),
		view: /* @__PURE__ */ nullish(/* @__PURE__ */ string())
	}), propertyShape = /* @__PURE__ */ object({ value: /* @__PURE__ */ unknown$1() }), CONFIG = "config", connectModules = (ap, search, request) => ({
		rule: () => connectRule(ap, search),
		gadget: () => connectGadget(ap, search, request)
	});
}));
init_dist(), init_edition(), init_messages(), init_pages(), init_shape(), init_bridge();
var contextShape = /* @__PURE__ */ object({ jira: /* @__PURE__ */ object({
	issue: entityShape,
	project: entityShape
}) }), claims = /* @__PURE__ */ object({
	iss: /* @__PURE__ */ string(),
	sub: /* @__PURE__ */ optional(/* @__PURE__ */ string(), "anonymous")
});
/** The address names the frame's context; the host completes it. */
async function readContext(ap, search) {
	let host = readAs(contextShape, await withHostTimeout(ap.context.getContext()).catch(() => void 0))?.jira;
	return complete(contextOf(search), host?.issue, host?.project);
}
/** A short-lived token, signed by the tracker, for user and context. */
async function readToken(ap) {
	let token = await withHostTimeout(ap.context.getToken()).catch(() => void 0);
	if (typeof token == "string" && token) return token;
	throw new HostUnreachable(tracker);
}
/** The Connect host around this frame. Follows the host's light or dark theme. */
function connectBridge(ap, search) {
	let { wrap, opened } = createEnvelope(), dialogs = connectDialogs(ap), context;
	ap.theming?.initializeTheming();
	let contextWithData = async () => {
		let read = await readContext(ap, search), dialogData = read.surface === "dialog" ? await withHostTimeout(dialogs.data()) : void 0;
		return dialogData === void 0 ? read : {
			...read,
			dialogData
		};
	};
	return {
		kind: "connect",
		context: () => (context ??= contextWithData(), context),
		request: (path, init) => request(ap, path, init),
		backend,
		stream: async (...call) => (await Promise.resolve().then(() => (init_stream(), stream_exports))).stream(...call),
		signIn: async () => {
			let authorization = `JWT ${await readToken(ap)}`;
			return backend("/api/jira/auth", { headers: {
				"app-key": edition.key,
				authorization,
				"content-type": "application/json"
			} });
		},
		owner: async () => {
			let { iss, sub } = parse$1(claims, tokenPayload(await readToken(ap)));
			return {
				tenant: iss,
				account: sub
			};
		},
		openDialog: dialogs.open,
		closeDialog: dialogs.close,
		flag: ({ title, body = "", type = "success" }) => {
			ap.flag.create({
				title,
				body,
				type,
				close: "auto"
			});
		},
		emit: (event, data) => ap.events.emit(event, wrap(data)),
		on: (event, listener) => {
			let handler = opened(listener);
			return ap.events.on(event, handler), () => ap.events.off(event, handler);
		},
		modules: async () => (await Promise.resolve().then(() => (init_connect_modules(), connect_modules_exports))).connectModules(ap, search, (...call) => request(ap, ...call)),
		resize: (height) => ap.resize("100%", `${height}px`),
		preferences: {
			get: (key) => new Promise((resolve) => ap.cookie.read(key, (value) => resolve(typeof value == "string" ? value : void 0))),
			set: (key, value) => (ap.cookie.save(key, value), Promise.resolve())
		},
		navigate: (path) => ap.navigator.go("site", { relativeUrl: path }),
		openSettings: (projectKey) => ap.navigator.go("projectAdminTabPanel", {
			projectKey,
			addonKey: edition.key,
			moduleKey: pages.project.key
		}),
		openAssigned: () => ap.navigator.go("addonModule", {
			addonKey: edition.key,
			moduleKey: places.assigned.key
		}),
		reload: () => ap.navigator.reload(),
		hostUrl: async (path) => {
			let href = await withHostTimeout(new Promise((resolve) => ap.getLocation(resolve)));
			return new URL(path, parse$1(/* @__PURE__ */ string(), href)).href;
		}
	};
}
// test/server/previous-client/vendor.ts
var invoke, invokeRemote = (call) => invoke?.(call) ?? Promise.reject(/* @__PURE__ */ Error("No host."));
function setHost(host) {
	invoke = host;
}
init_dist(), init_messages(), init_shape(), init_bridge();
var answerShape = /* @__PURE__ */ object({
	status: /* @__PURE__ */ number(),
	body: /* @__PURE__ */ optional(/* @__PURE__ */ unknown$1())
}), sessionShape = /* @__PURE__ */ object({
	url: /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ regex(/^https?:\/\/[^/]/)),
	issue: /* @__PURE__ */ optional(/* @__PURE__ */ object({
		id: /* @__PURE__ */ string(),
		key: /* @__PURE__ */ string()
	}))
});
/**
* The app's server as seen by a frame: sign-in goes through the host, which vouches for the user; its answer names the
* address for direct calls.
*/
function forgeServer() {
	let underWay, last;
	async function ask() {
		let said = await withHostTimeout(invokeRemote({
			path: "/api/forge/session",
			method: "POST",
			headers: { "content-type": "application/json" },
			body: "{}"
		})).catch((cause) => {
			throw cause instanceof HostUnreachable ? cause : new HostUnreachable(server, { cause });
		}), answer = readAs(answerShape, said);
		if (!answer) throw new HostUnreachable(server, { cause: said });
		let { status, body = null } = answer;
		if (status >= 200 && status < 300) {
			let session = readAs(sessionShape, body);
			if (!session) throw new HostUnreachable(server);
			last = {
				url: session.url.replace(/\/+$/, ""),
				issue: session.issue
			};
		}
		return {
			status,
			text: JSON.stringify(body)
		};
	}
	let signIn = () => (underWay ??= ask().finally(() => {
		underWay = void 0;
	}), underWay);
	return {
		signIn,
		async signed() {
			if (last || await signIn(), !last) throw new HostUnreachable(server);
			return last;
		}
	};
}
init_browser_storage(), init_errors(), init_badge(), init_page(), init_call(), init_issues(), init_permissions(), init_build(), init_recorded();
export { build, connectBridge, createGraphql, createSession, forgeServer, keepStream, operations, setHost };
